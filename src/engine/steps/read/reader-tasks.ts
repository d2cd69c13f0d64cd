import type { KeptPicture } from '#core/episode';
import type { PicturesWanted, PictureWanted, RecognisedDataset } from '#formats';
import type { SpooledPicture } from '#io/media';
import type { RecordingsRef } from '#io/sources';
import type {
  CurationEpisode,
  CurationPlan,
  CurationResult,
  ProbeOptions,
  ProbeResult,
} from '#quality/curation';
import type { BaselineEpisode, DescribedFailure, ScoredFailures, ScoringOptions } from '#quality/failures';
import type { ShardStream } from '#store';

/** Where an episode's numbers lie, as a local file. */
export interface ShardPlace {
  readonly path: string;
  readonly place: number;
}

/** Part of a stream in so many columns. */
export interface StreamTask {
  readonly type: 'stream';
  readonly shard: ShardPlace;
  readonly stream_id: string;
  /** On the stream's axis; null: from its beginning, to its end. */
  readonly from: number | null;
  readonly to: number | null;
  readonly columns: number;
  /** Null: the first ones, as many as are shown at once. */
  readonly dimensions: readonly number[] | null;
}

/** What is known of a camera without decoding. */
export interface CameraTask {
  readonly type: 'camera';
  readonly shard: ShardPlace;
  readonly stream_id: string;
}

export interface Camera {
  /** Null: the stream has no pictures. */
  readonly frames: NonNullable<ShardStream['frames']> | null;
  readonly declared_rate_hz: number | null;
  readonly sample_count: number;
  /** Seconds since the start of the episode, one a frame, in the order of recording; null without a clock. */
  readonly time_s: Float64Array | null;
  /** The same by the recorder's own clock, where the format has one. */
  readonly log_s: Float64Array | null;
}

/** Payloads that lie inside a recording: the one wanted, behind those that decoding it needs. */
export interface PicturesTask {
  readonly type: 'pictures';
  readonly recordings: RecordingsRef;
  readonly recognised: RecognisedDataset;
  readonly wanted: PictureWanted;
}

/** Pictures of some rows, read out of a recording into a file. */
export interface SpoolTask {
  readonly type: 'spool';
  readonly recordings: RecordingsRef;
  readonly recognised: RecognisedDataset;
  readonly wanted: PicturesWanted;
  /** First and last. */
  readonly rows: readonly [first: number, last: number];
  /** When each row of the stream was taken, since the start of the episode. */
  readonly time_s: Float64Array;
  readonly target: string;
}

/** A curation plan over a project's episodes: seconds of computing that nobody else should wait for. */
interface CurateTask {
  readonly type: 'curate';
  readonly plan: CurationPlan;
  readonly episodes: readonly CurationEpisode[];
}

/** Small policies trained on subsets of a project's episodes: the same. */
interface ProbeTask {
  readonly type: 'probe';
  readonly episodes: readonly CurationEpisode[];
  readonly options: ProbeOptions;
}

/** Failures held against a project's episodes: every one is compared with every other. */
interface ScoreFailuresTask {
  readonly type: 'score_failures';
  readonly episodes: readonly BaselineEpisode[];
  readonly failures: readonly DescribedFailure[];
  readonly options: ScoringOptions;
}

export type ReaderTask =
  | StreamTask
  | CameraTask
  | PicturesTask
  | SpoolTask
  | CurateTask
  | ProbeTask
  | ScoreFailuresTask;

/** By the type of the task; a stream is the bytes of its JSON. */
export interface ReaderAnswers {
  readonly stream: Uint8Array;
  readonly camera: Camera;
  readonly pictures: readonly KeptPicture[];
  readonly spool: readonly SpooledPicture[];
  readonly curate: CurationResult;
  readonly probe: ProbeResult;
  readonly score_failures: ScoredFailures;
}
