import type { JsonText } from '#core';
import type { Recipe } from '#formats/recipes';
import type { RecordingsRef } from '#io/sources';
import type { ListingLimits } from '#io/sources/web';
import type { ReportFilm } from '#quality/report';
import type { BlobsOptions, NotesBlob } from '#store';
import type { Recordings } from '../open-recordings.ts';
import type { FilmChoice } from '../steps/camera-films.ts';
import type { CompareTask, ComparisonResult } from '../steps/comparer.ts';
import type { ExportCheck } from '../steps/export/check-export.ts';
import type { ExportedSet, ExportPlan, ExportSetTask } from '../steps/export/export-request.ts';
import type { DatasetInfos } from '../steps/find-datasets.ts';
import type { Inspection } from '../steps/inspect.ts';
import type { PackedVerdicts } from '../steps/judge/verdict.ts';
import type { ListedAddress } from '../steps/list-address.ts';
import type { UnitOutcome } from '../steps/measure/measure-units.ts';
import type {
  AnnotateRequest,
  CertifyAnswer,
  CertifyRequest,
  CompareAnswer,
  ExportAnswer,
  ExportRequest,
  FilmRequest,
  LookAnswer,
  Part,
  ReportRequest,
  RunBrief,
} from '../steps/messages.ts';
import type { JudgedUnit, JudgeTask, WorkerStart } from '../steps/tasks.ts';
import type { ComparedPack, FilmAnswer, JudgeUnit, MeasureUnit } from '../steps/units.ts';
import type { Failure } from '../workers/messages.ts';

/** Access of a worker thread to the blob store and the model host. Threads of commands on a path have none. */
export interface ThreadStart {
  readonly blobs: BlobsOptions;
  /** Private folder of the thread for files that are being written; removed when the thread exits. */
  readonly scratch: string;
  /** Time to retry while the blob store is unavailable. */
  readonly patience_ms: number;
  /** Socket of the process's model host; `null` if it has none. */
  readonly model_socket: string | null;
}

/**
 * Requests to a worker thread; one at a time. Commands on a path get the results as the answer. Results of a service go to
 * the blob store: the thread submits parts with their rows, which the main thread commits.
 */
export type StepRequest =
  | PathRequest
  | LookRequest
  | MeasureRequest
  | OpenedRequest
  | RunRequest
  | StoredRequest;

/** Requests about recordings that the thread finds first; the datasets stay open. */
export type PathRequest =
  | FindRequest
  | InspectRequest
  | CheckExportRequest
  | PlanExportRequest
  | WriteExportRequest
  | WriteFilmsRequest
  | ListWebRequest;

/** Requests about the run of a command, which was opened with the note `open`. */
type OpenedRequest =
  | { readonly type: 'conclude'; readonly task: CompareTask }
  | { readonly type: 'judge-unit'; readonly task: JudgeTask };

/** Requests about a run of a service. */
export type RunRequest = CompareRequest | JudgeRequest | ReportRequest;

/** Requests about stored episodes. */
export type StoredRequest = AnnotateRequest | FilmRequest | ExportRequest | CertifyRequest;

/** Steps of opening datasets that crashed earlier threads, with the reason; these datasets are left out and reported. */
export type FailedSteps = ReadonlyMap<string, string>;

interface OfRecordings {
  readonly recordings: Recordings;
  readonly given_up?: FailedSteps;
}

/** Finds and opens datasets, for the note `open`. */
interface FindRequest extends OfRecordings {
  readonly type: 'find';
  /** Folder of the measurement cache; absent: no cache. */
  readonly cache_folder?: string;
}

/** Describes datasets. */
interface InspectRequest extends OfRecordings {
  readonly type: 'inspect';
  readonly recipe?: Recipe;
}

interface OfSources extends Pick<OfRecordings, 'given_up'> {
  readonly sources: readonly Recordings[];
}

/** Checks an export before anything is measured; see `checkExport`. */
interface CheckExportRequest extends OfSources {
  readonly type: 'check-export';
  readonly check: ExportCheck;
}

/** Plans an export; see `planExport`. */
interface PlanExportRequest extends OfSources {
  readonly type: 'plan-export';
  readonly set: ExportSetTask;
}

/** Writes an export of some episodes into a folder. */
interface WriteExportRequest extends OfSources {
  readonly type: 'write-export';
  readonly set: ExportSetTask;
}

/** Writes films of some episodes into the folder of a report. */
interface WriteFilmsRequest extends OfRecordings {
  readonly type: 'write-films';
  readonly folder: string;
  readonly episodes: readonly FilmChoice[];
}

/** Lists the files of an address into a local file (`WebListing`). */
interface ListWebRequest extends Pick<OfRecordings, 'given_up'> {
  readonly type: 'list-web';
  readonly recordings: string;
  readonly access: Extract<RecordingsRef, { kind: 'web' }>['access'];
  readonly limits: ListingLimits;
  readonly file: string;
}

/** Finds the datasets of recordings and submits their units. */
export interface LookRequest extends Pick<OfRecordings, 'given_up'> {
  readonly type: 'look';
  readonly recordings: RecordingsRef;
  /** Key of the run for which the datasets stay open; `null`: they are closed. */
  readonly key: string | null;
}

/** Measures units of a run: one of a service, or the one that was opened with the note `open`. */
export interface MeasureRequest {
  readonly type: 'measure';
  readonly run: RunBrief | { readonly key: string };
  readonly units: JsonText<readonly MeasureUnit[]>;
}

/** Compares the episodes of each dataset. */
interface CompareRequest {
  readonly type: 'compare';
  readonly run: RunBrief;
  readonly packs: JsonText<readonly ComparedPack[]>;
  /** Ids of the comparisons to conclude. */
  readonly comparisons: readonly string[];
}

/** Evaluates measured units. */
interface JudgeRequest {
  readonly type: 'judge';
  readonly run: RunBrief;
  readonly units: JsonText<readonly JudgeUnit[]>;
  readonly notes: readonly NotesBlob[];
}

/** Returns the key of the data that a thread keeps open between requests, or null if it keeps none. */
export const requestKey = (request: StepRequest): string | null => {
  if ('run' in request) return request.run.key;
  return 'key' in request ? request.key : null;
};

/** Types of requests that read no external data and may compute for long; the limits on reading do not apply. */
export const unwatchedRequests: ReadonlySet<StepRequest['type']> = new Set([
  'conclude',
  'judge-unit',
  'compare',
  'judge',
  'report',
  'certify',
]);

/** Answer type per request type; `null` if all results were submitted. */
export interface StepAnswers {
  readonly find: DatasetInfos;
  readonly inspect: Inspection;
  readonly 'check-export': null;
  /** `null` if no row would be left. */
  readonly 'plan-export': ExportPlan | null;
  readonly 'write-export': ExportedSet;
  readonly 'write-films': readonly ReportFilm[];
  readonly 'list-web': ListedAddress;
  /** Empty if the units were submitted. */
  readonly measure: readonly UnitOutcome[];
  readonly conclude: ComparisonResult;
  readonly 'judge-unit': PackedUnit;
  readonly look: LookAnswer;
  readonly compare: CompareAnswer;
  readonly judge: null;
  readonly report: null;
  readonly annotate: null;
  readonly film: FilmAnswer;
  readonly export: ExportAnswer;
  readonly certify: CertifyAnswer;
}

/** Any answer of a worker thread. */
export type StepAnswer = StepAnswers[keyof StepAnswers];

/** A judged unit with packed verdicts. */
interface PackedUnit extends Omit<JudgedUnit, 'verdicts'> {
  readonly verdicts: PackedVerdicts;
}

/** One-way messages to a worker thread. */
export type StepNote =
  /** Opens a run of a command, with the datasets that the thread has found. */
  | { readonly type: 'open'; readonly key: string; readonly start: WorkerStart }
  /** Reply to a part; `wanted` is false if the work was cancelled or taken over meanwhile. */
  | { readonly type: 'committed'; readonly wanted: boolean };

/** Events that a thread sends during a request. */
export type StepEvent =
  /** The files are listed; total size in bytes. */
  | { readonly type: 'listed'; readonly bytes: number }
  /** A dataset is about to be opened. */
  | { readonly type: 'step'; readonly step: string }
  /** Work on the unit at this place begins. */
  | { readonly type: 'begin'; readonly place: number }
  /** Progress; both counts may be 0. */
  | { readonly type: 'progress'; readonly episodes: number; readonly bytes: number }
  | { readonly type: 'part'; readonly part: Part }
  /** The blob store is unavailable; `null`: it is available again. */
  | { readonly type: 'waiting'; readonly failure: Failure | null }
  /** A warning that does not concern the recordings. */
  | { readonly type: 'warning'; readonly text: string };
