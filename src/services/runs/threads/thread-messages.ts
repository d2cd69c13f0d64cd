import type { LayerConfig } from '#annotation';
import type { LayerId, ReadinessSettings } from '#contract';
import type { Kind } from '#episode';
import type { AnnotatedRows, BlobsOptions, NotesBlob, RecordingsRef } from '#store';
import type { Failure } from '#work';

/** What every thread of a process is started with. */
export interface ThreadStart {
  readonly blobs: BlobsOptions;
  /** Folder of this thread's own for packs that are being written; gone when the thread is. */
  readonly scratch: string;
  /** How long a blob store that does not answer is waited for. */
  readonly patience_ms: number;
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
  /** `DatasetOrder[]`, in the order of their places. */
  readonly datasets: string;
}

/** What a thread is asked to do; one at a time. */
export type Order =
  | { readonly type: 'look'; readonly recordings: RecordingsRef; readonly key: string | null }
  /** `units`: `MeasureUnit[]`. */
  | { readonly type: 'measure'; readonly run: RunBrief; readonly units: string }
  /** `packs`: `ComparedPack[]`. */
  | {
      readonly type: 'compare';
      readonly run: RunBrief;
      readonly packs: string;
      readonly comparisons: readonly string[];
    }
  /** `units`: `JudgeUnit[]`. */
  | {
      readonly type: 'judge';
      readonly run: RunBrief;
      readonly units: string;
      readonly notes: readonly NotesBlob[];
    }
  /** `units`: `ReportUnit[]`; `summary`: the dataset part of an assessment; `findings`: those of each dataset. */
  | {
      readonly type: 'report';
      readonly run: RunBrief;
      readonly units: string;
      readonly title: string;
      readonly findings: string;
      readonly summary: string;
      readonly prefix: string;
    }
  /** `also`: further layers, whose places are of the same episodes, so that each is read once. */
  | {
      readonly type: 'annotate';
      readonly key: string;
      /** `AnnotateItem[]` */
      readonly items: string;
      readonly tasks: readonly AnnotateTask[];
    };

/** A layer that some of an order's episodes are to be annotated in. */
export interface AnnotateTask {
  readonly layer: LayerId;
  readonly config: LayerConfig;
  /** Keys of artifacts start with it. */
  readonly prefix: string;
  /** Which of the episodes, and the number of the attempt at each. */
  readonly attempts: readonly (readonly [place: number, attempt: number])[];
}

/** The key of the work that a thread keeps open between orders; null: none. */
export const keyOf = (order: Order): string | null =>
  order.type === 'look' || order.type === 'annotate' ? order.key : order.run.key;

/** Some of an order's work, whole in the blob store, to be committed. JSON members as `store` inserts them. */
export type Part =
  | { readonly type: 'units'; readonly units: string }
  | MeasuredPart
  | JudgedPart
  | AnnotatedPart;

export interface MeasuredPart {
  readonly type: 'measured';
  /** `MeasuredRow[]` of the store. */
  readonly units: string;
  /** Findings of these units, the first of them, as a JSON list. */
  readonly findings: string;
}

export interface JudgedPart {
  readonly type: 'judged';
  readonly count: number;
  /** `JudgedRow[]` and `JudgedEpisode[]` of the store. */
  readonly units: string;
  readonly episodes: string;
}

export interface AnnotatedPart extends AnnotatedRows {
  readonly type: 'annotated';
  /** Which of the order's tasks. */
  readonly task: number;
  readonly count: number;
}

export type Answer =
  | LookAnswer
  | { readonly type: 'done' }
  | {
      readonly type: 'compared';
      /** `[dataset, Finding[]][]` */
      readonly findings: string;
      readonly notes: NotesBlob | null;
    };

export interface LookAnswer {
  readonly type: 'looked';
  /** `DatasetRow[]` of the store. */
  readonly datasets: string;
  /** Of listing the source: `Finding[]`. */
  readonly findings: string;
  readonly units: number;
  readonly episodes: number;
  readonly bytes: number;
  /** First and last place of the units that one job takes. */
  readonly stretches: readonly (readonly [from: number, to: number])[];
  /** SHA-256 over everything that was found. */
  readonly found_hash: string;
  /** For people: `PlannedDataset[]` of the contract. */
  readonly planned: string;
}

/** The answer to a part: false when the work was taken away meanwhile. */
export interface Took {
  readonly wanted: boolean;
}

export type OrderEvent =
  /** The unit at this place is begun. */
  | { readonly type: 'begin'; readonly place: number }
  /** It has come further, also where both are 0. */
  | { readonly type: 'progress'; readonly episodes: number; readonly bytes: number }
  | { readonly type: 'part'; readonly part: Part }
  /** The blob store does not answer; null: it does again. */
  | { readonly type: 'waiting'; readonly failure: Failure | null };
