import type { JsonText } from '#core';
import type {
  Assessment,
  BundleFacts,
  CertificationPolicy,
  ExportFormatId,
  JobLayerId,
  LayerId,
  ModelSurfaceId,
  ReadinessSettings,
  RunPlan,
} from '#core/api';
import type { Finding, Kind } from '#core/episode';
import type { DatasetFacts, RecognisedDataset } from '#formats';
import type { EditRequest } from '#formats/write';
import type { RecordingsRef } from '#io/sources';
import type { LayerConfig } from '#labels/annotation';
import type { ModelRef } from '#labels/models';
import type {
  AnnotatedRows,
  BlobsOptions,
  ChosenRow,
  EvidenceDataset,
  EvidenceRow,
  JudgedEpisode,
  JudgedRow,
  MeasuredRow,
  NotesBlob,
} from '#store';
import type { Failure } from '../workers/failure.ts';
import type { ExportedLayer } from './annotated/exported-layers.ts';
import type { HashedFile } from './export/lineage.ts';
import type {
  AnnotateItem,
  ComparedPack,
  FilmAnswer,
  FilmedLayer,
  JudgeUnit,
  MeasureUnit,
  ReportedLayer,
  ReportUnit,
} from './units.ts';

/** What every thread of a process is started with. */
export interface ThreadStart {
  readonly blobs: BlobsOptions;
  /** Folder of this thread's own for packs that are being written; gone when the thread is. */
  readonly scratch: string;
  /** How long a blob store that does not answer is waited for. */
  readonly patience_ms: number;
  /** Of the process's model host; null: it has none. */
  readonly model_socket: string | null;
}

/** What a run is, for whoever works on it. Members that are JSON text cross the main thread unread. */
export interface RunBrief {
  /** Unlike any other run's and any other attempt's. */
  readonly key: string;
  /** Its blobs' keys start so: `tnt_…/run_…`. */
  readonly blob_prefix: string;
  readonly recordings: RecordingsRef;
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  readonly episodes_expected: number;
  readonly media_children: number;
  /** In the order of their places. */
  readonly datasets: JsonText<readonly RunDataset[]>;
}

/** A dataset of a run as the store keeps it, for threads. */
export interface RunDataset {
  readonly place: number;
  readonly path: string;
  readonly format: string;
  readonly recognised: RecognisedDataset;
  readonly root: string;
  readonly facts: DatasetFacts;
}

/** What a thread is asked to do; one at a time. */
export type StepRequest =
  | LookRequest
  | { readonly type: 'measure'; readonly run: RunBrief; readonly units: JsonText<readonly MeasureUnit[]> }
  | CompareRequest
  | JudgeRequest
  | ReportRequest
  | AnnotateRequest
  | FilmRequest
  | ExportRequest
  | CertifyRequest;

export interface LookRequest {
  readonly type: 'look';
  readonly recordings: RecordingsRef;
  /** Null: nothing stays open. */
  readonly key: string | null;
}

interface CompareRequest {
  readonly type: 'compare';
  readonly run: RunBrief;
  readonly packs: JsonText<readonly ComparedPack[]>;
  /** Which comparisons are concluded. */
  readonly comparisons: readonly string[];
}

interface JudgeRequest {
  readonly type: 'judge';
  readonly run: RunBrief;
  readonly units: JsonText<readonly JudgeUnit[]>;
  readonly notes: readonly NotesBlob[];
}

export interface ReportRequest {
  readonly type: 'report';
  readonly run: RunBrief;
  readonly units: JsonText<readonly ReportUnit[]>;
  readonly title: string;
  /** The dataset part of an assessment. */
  readonly summary: Assessment['dataset'];
  /** Of each dataset, in the order of the run's. */
  readonly findings: readonly (readonly Pick<Finding, 'code'>[])[];
  /** What layers of the run say of its episodes. */
  readonly layers: JsonText<readonly ReportedLayer[]>;
  /** Keys of the report's files start so. */
  readonly prefix: string;
}

export interface AnnotateRequest {
  readonly type: 'annotate';
  readonly key: string;
  readonly items: JsonText<readonly AnnotateItem[]>;
  /** Layers whose places are of the same episodes, so that each is read once. */
  readonly tasks: readonly AnnotateTask[];
  /** Where the episodes' pictures are read from; null where no layer looks at any. */
  readonly pictures: PictureSources | null;
}

/** An episode whose layers are drawn over the pictures of one camera. */
export interface FilmRequest {
  readonly type: 'film';
  readonly key: string;
  /** With what the layers say of it. */
  readonly item: JsonText<AnnotateItem>;
  readonly layers: JsonText<readonly FilmedLayer[]>;
  readonly pictures: PictureSources;
  /** Absent: the first that the layers say something of. */
  readonly camera?: string;
  /** A file, or a folder of pictures; neither is there yet. */
  readonly to: { readonly kind: 'mp4' | 'png'; readonly path: string };
}

/** Recordings that episodes were found in. */
export interface PictureSources {
  /** By source: where it is opened, or why it cannot be. */
  readonly recordings: Readonly<Record<string, RecordingsRef | Failure>>;
  /** By dataset, as `AnnotateItem` names it: how it is opened again. */
  readonly datasets: Readonly<Record<string, RecognisedDataset>>;
}

/** A layer that some of a request's episodes are to be annotated in. */
export interface AnnotateTask {
  readonly layer: JobLayerId;
  readonly config: LayerConfig;
  /** What it may run, by surface. */
  readonly models: Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>;
  /** Keys of artifacts start with it. */
  readonly prefix: string;
  /** Which of the episodes, and the number of the attempt at each. */
  readonly attempts: readonly (readonly [place: number, attempt: number])[];
}

export interface ExportRequest {
  readonly type: 'export';
  readonly key: string;
  readonly recordings: RecordingsRef;
  /** Of the source, for the lineage. */
  readonly source_name: string;
  /** The dataset's folder below the recordings; `.`: it is all of them. */
  readonly dataset_path: string;
  /** What it is; others may lie in the same folder. */
  readonly dataset_format: string;
  readonly format: ExportFormatId;
  /** Rows a second that were asked for; null: the recordings' own. */
  readonly rate_hz: number | null;
  /** What is changed on the way. */
  readonly edits: EditRequest;
  /** Annotation layers whose say goes along. */
  readonly layers: readonly ExportedLayer[];
  /** All of the dataset's, in its order. */
  readonly episodes: JsonText<readonly ChosenRow[]>;
  /** Keys of what is written start so. */
  readonly prefix: string;
}

export interface CertifyRequest {
  readonly type: 'certify';
  readonly key: string;
  /** Of the page. */
  readonly title: string;
  readonly policy: CertificationPolicy;
  readonly project_id: string;
  /** Layers of annotation that the project's settings ask for. */
  readonly wanted: readonly LayerId[];
  readonly episodes: JsonText<readonly EvidenceRow[]>;
  readonly datasets: JsonText<readonly EvidenceDataset<DatasetFacts>[]>;
  /** Blob with a report that was made elsewhere; null: it is made of the episodes. */
  readonly report_blob: string | null;
  /** Keys of what is written start so. */
  readonly prefix: string;
}

/** The key of the work that a thread keeps open between requests; null: none. */
export const keyOf = (request: StepRequest): string | null =>
  'key' in request ? request.key : request.run.key;

/** Some of a request's work, whole in the blob store, to be committed. */
export type Part = UnitsPart | MeasuredPart | JudgedPart | AnnotatedPart;

export interface UnitsPart {
  readonly type: 'units';
  readonly units: JsonText<readonly Omit<MeasureUnit, 'attempt'>[]>;
}

export interface MeasuredPart {
  readonly type: 'measured';
  readonly units: JsonText<readonly MeasuredRow[]>;
  /** Of these units, the first of them. */
  readonly findings: readonly Finding[];
}

export interface JudgedPart {
  readonly type: 'judged';
  readonly count: number;
  readonly units: JsonText<readonly JudgedRow[]>;
  readonly episodes: JsonText<readonly JudgedEpisode[]>;
}

export interface AnnotatedPart extends AnnotatedRows {
  readonly type: 'annotated';
  /** Which of the request's tasks. */
  readonly task: number;
  readonly count: number;
}

/** By the type of the request. */
export interface StepAnswers {
  readonly look: LookAnswer;
  readonly measure: null;
  readonly compare: CompareAnswer;
  readonly judge: null;
  readonly report: null;
  readonly annotate: null;
  readonly film: FilmAnswer;
  readonly export: ExportAnswer;
  readonly certify: CertifyAnswer;
}
export type StepAnswer = StepAnswers[keyof StepAnswers];

/** What is there of a bundle, but for what seals it. */
export interface CertifyAnswer {
  readonly files: readonly HashedFile[];
  readonly report: BundleFacts['report'];
  readonly compute_s: number;
}

export interface ExportAnswer {
  readonly seal: string;
  /** With the lineage. */
  readonly files: number;
  readonly bytes: number;
  readonly compute_s: number;
}

export interface CompareAnswer {
  /** By place of the dataset; only those of which there are any. */
  readonly findings: readonly (readonly [dataset: number, findings: readonly Finding[]])[];
  readonly notes: NotesBlob | null;
}

export interface LookAnswer {
  readonly datasets: JsonText<readonly FoundRow[]>;
  /** Of listing the source. */
  readonly findings: readonly Finding[];
  readonly units: number;
  readonly episodes: number;
  readonly bytes: number;
  /** SHA-256 over everything that was found. */
  readonly found_hash: string;
  /** For people. */
  readonly planned: RunPlan['datasets'];
}

/** A dataset as a look found it. */
interface FoundRow extends RunDataset {
  readonly evidence: readonly string[];
  readonly findings: readonly Finding[];
}

/** The answer to a part: false when the work was taken away meanwhile. */
export interface Took {
  readonly wanted: boolean;
}

export type StepEvent =
  /** The unit at this place is begun. */
  | { readonly type: 'begin'; readonly place: number }
  /** It has come further, also where both are 0. */
  | { readonly type: 'progress'; readonly episodes: number; readonly bytes: number }
  | { readonly type: 'part'; readonly part: Part }
  /** The blob store does not answer; null: it does again. */
  | { readonly type: 'waiting'; readonly failure: Failure | null };
