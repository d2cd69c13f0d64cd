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
import type { ClassRenames, EpisodeSize, LayerConfig } from '#labels/annotation';
import type { ModelRef } from '#labels/models';
import type {
  AnnotatedRows,
  Blobs,
  ChosenRow,
  EvidenceDataset,
  EvidenceRow,
  JudgedEpisode,
  JudgedRow,
  MeasuredRow,
  NotesBlob,
} from '#store';
import type { Failure } from '../workers/messages.ts';
import type { LaneResources } from './annotate/lane-resources.ts';
import type { HashedFile } from './export/lineage.ts';
import type { ExportedLayer } from './exported-layers.ts';
import type { Task } from './tasks.ts';
import type { AnnotateItem, OverlayLayer, ReportedLayer, ReportUnit } from './units.ts';

/** Description of a run for worker threads. JSON-text members pass through the main thread without parsing. */
export interface RunBrief {
  /** Unique per run and attempt. */
  readonly key: string;
  /** Prefix of the run's blob keys: `tnt_…/run_…`. */
  readonly blob_prefix: string;
  readonly recordings: RecordingsRef;
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  readonly episodes_expected: number;
  readonly media_children: number;
  /** Datasets, sorted by `place`. */
  readonly datasets: JsonText<readonly RunDataset[]>;
}

/** A dataset of a run, as stored. */
export interface RunDataset {
  readonly place: number;
  readonly path: string;
  readonly format: string;
  readonly recognised: RecognisedDataset;
  readonly root: string;
  readonly facts: DatasetFacts;
}

/** Draws the report of a run. */
export interface ReportRequest {
  readonly type: 'report';
  readonly run: RunBrief;
  readonly units: JsonText<readonly ReportUnit[]>;
  readonly title: string;
  /** Dataset part of an assessment, without the verdicts, which are computed from the receipts. */
  readonly summary: Omit<Assessment['dataset'], 'usability' | 'parts'>;
  /** Findings of listing the source. */
  readonly listing: readonly Finding[];
  /** Datasets, in the run's order. */
  readonly parts: readonly ReportedDataset[];
  /** Annotations of the run's episodes. */
  readonly layers: JsonText<readonly ReportedLayer[]>;
  /** Key prefix of the report's files. */
  readonly prefix: string;
}

/** A dataset in a report, with its findings and its number of unreadable episodes. */
interface ReportedDataset extends Omit<Assessment['dataset']['parts'][number], 'loads' | 'usability'> {
  readonly findings: readonly Finding[];
  readonly unreadable: number;
}

/** Annotates episodes in one or more layers. */
export interface AnnotateRequest {
  readonly type: 'annotate';
  readonly key: string;
  readonly items: JsonText<readonly AnnotateItem[]>;
  /** Layers to run; they share the same episodes, so that each is read once. */
  readonly tasks: readonly AnnotateTask[];
  /** Sources of the episodes' pictures; `null` if no layer needs any. */
  readonly pictures: PictureSources | null;
}

/** Draws an episode's annotations over the pictures of one camera. */
export interface FilmRequest {
  readonly type: 'film';
  readonly key: string;
  /** The episode with its annotations. */
  readonly item: JsonText<AnnotateItem>;
  readonly layers: JsonText<readonly OverlayLayer[]>;
  readonly pictures: PictureSources;
  /** Camera to draw on. Default: the first camera with annotations. */
  readonly camera?: string;
  /** Output file or folder of pictures; must not exist yet. */
  readonly to: { readonly kind: 'mp4' | 'png'; readonly path: string };
}

/** Recordings that contain the episodes. */
export interface PictureSources {
  /** Per source: where to open it, or why it cannot be opened. */
  readonly recordings: Readonly<Record<string, RecordingsRef | Failure>>;
  /** Per dataset, named as in `AnnotateItem`: how to reopen it. */
  readonly datasets: Readonly<Record<string, RecognisedDataset>>;
}

/** One layer to run on some episodes of a request. */
export interface AnnotateTask {
  readonly layer: JobLayerId;
  readonly config: LayerConfig;
  /** Available models by surface. */
  readonly models: Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>;
  /** Key prefix of the artifacts. */
  readonly prefix: string;
  /** The episodes' places, each with its attempt number. */
  readonly attempts: readonly (readonly [place: number, attempt: number])[];
}

/** Writes an export of one dataset. */
export interface ExportRequest {
  readonly type: 'export';
  readonly key: string;
  readonly recordings: RecordingsRef;
  /** Name of the source, for the lineage. */
  readonly source_name: string;
  /** Folder of the dataset below the recordings; `.` for all of them. */
  readonly dataset_path: string;
  /** Format of the dataset, to distinguish it from others in the same folder. */
  readonly dataset_format: string;
  readonly format: ExportFormatId;
  /** Requested rows per second; `null`: as recorded. */
  readonly rate_hz: number | null;
  /** Edits to apply. */
  readonly edits: EditRequest;
  /** Annotation layers to include. */
  readonly layers: readonly ExportedLayer[];
  /** Requested layers that the format cannot store. */
  readonly dropped_layers: readonly string[];
  /** Current class names by recorded name. */
  readonly class_renames: ClassRenames;
  /** All episodes of the dataset, in its order. */
  readonly episodes: JsonText<readonly ChosenRow[]>;
  /** Key prefix of the written files. */
  readonly prefix: string;
}

/** Builds the report and receipts of a certification bundle. */
export interface CertifyRequest {
  readonly type: 'certify';
  readonly key: string;
  /** Title of the report page. */
  readonly title: string;
  readonly policy: CertificationPolicy;
  readonly project_id: string;
  /** Annotation layers that the project's settings require. */
  readonly wanted: readonly LayerId[];
  readonly episodes: JsonText<readonly EvidenceRow[]>;
  readonly datasets: JsonText<readonly EvidenceDataset<DatasetFacts>[]>;
  /** Blob with an imported report; `null`: the report is computed from the episodes. */
  readonly report_blob: string | null;
  /** Key prefix of the written files. */
  readonly prefix: string;
}

/** Part of a request's result that is stored in the blob store and ready to be committed. */
export type Part = UnitsPart | MeasuredPart | JudgedPart | AnnotatedPart;

/** Units found by a look. */
export interface UnitsPart {
  readonly type: 'units';
  readonly units: JsonText<readonly Task[]>;
}

/** Measured units. */
export interface MeasuredPart {
  readonly type: 'measured';
  readonly units: JsonText<readonly MeasuredRow[]>;
  /** The first findings of these units. */
  readonly findings: readonly Finding[];
}

/** Evaluated units and their episodes. */
export interface JudgedPart {
  readonly type: 'judged';
  readonly count: number;
  readonly units: JsonText<readonly JudgedRow[]>;
  readonly episodes: JsonText<readonly JudgedEpisode[]>;
}

/** Annotated episodes. */
export interface AnnotatedPart extends AnnotatedRows {
  readonly type: 'annotated';
  /** Index of the task in the request. */
  readonly task: number;
  readonly count: number;
}

/** The files of a bundle before it is sealed. */
export interface CertifyAnswer {
  readonly files: readonly HashedFile[];
  readonly report: BundleFacts['report'];
  readonly compute_s: number;
}

/** Summary of a stored export. */
export interface ExportAnswer {
  readonly seal: string;
  /** Number of files, lineage included. */
  readonly files: number;
  readonly bytes: number;
  readonly compute_s: number;
}

/** Findings and notes of the comparisons. */
export interface CompareAnswer {
  /** Per dataset place; only datasets with findings. */
  readonly findings: readonly (readonly [dataset: number, findings: readonly Finding[]])[];
  readonly notes: NotesBlob | null;
}

/** Summary of the datasets that were found. */
export interface LookAnswer {
  readonly datasets: JsonText<readonly FoundRow[]>;
  /** Findings of the listing. */
  readonly findings: readonly Finding[];
  readonly units: number;
  readonly episodes: number;
  readonly bytes: number;
  /** SHA-256 over everything that was found. */
  readonly found_hash: string;
  /** Datasets as shown in a run plan. */
  readonly planned: RunPlan['datasets'];
  /** Mean episode size of each, as far as it is known before measuring. */
  readonly sizes: readonly (EpisodeSize | null)[];
}

/** A dataset as found by a look. */
interface FoundRow extends RunDataset {
  readonly evidence: readonly string[];
  readonly findings: readonly Finding[];
}

/** Services of a worker thread for every step that it executes. */
export interface ThreadContext {
  readonly signal: AbortSignal;
  /** Reports that work on the unit at `place` begins. */
  begin(place: number): void;
  /** Reports episodes and bytes done since the last call. */
  progress(episodes: number, bytes: number): void;
  /**
   * Sends a part for commit once `stored` resolves; waits while two are pending. Throws `cancelled` if the work is no
   * longer wanted.
   */
  submit(part: Part, stored?: Promise<void>): Promise<void>;
  /** Waits until all parts are committed. */
  flush(): Promise<void>;
}

/** Services for steps whose results go to the blob store. */
export interface StepContext extends ThreadContext {
  readonly blobs: Blobs;
  /** Shared resources of annotation lanes. */
  readonly lanes: LaneResources;
  /** Returns a new path in the thread's private folder. */
  scratchFile(): string;
  /**
   * Runs `work` and returns its result, retrying while the blob store is unavailable. Throws its error when the retry time is
   * over.
   */
  retry<T>(work: () => Promise<T>): Promise<T>;
}
