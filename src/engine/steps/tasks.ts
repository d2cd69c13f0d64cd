import type { Incomplete, ReadinessSettings } from '#core/api';
import type { Finding, Kind, PictureScope } from '#core/episode';
import type { RecognisedDataset, WorkUnit } from '#formats';
import type { Chunk, Recipe } from '#formats/recipes';
import type { LoaderSeverities } from '#formats/rules';
import type { ComparisonNotes } from '#quality/readiness';
import type { CacheLocation } from '../cache/program-stamp.ts';
import type { Recordings } from '../open-recordings.ts';
import type { SpoolRegion } from '../spool.ts';
import type { EmbeddedEpisode } from './embed-episode.ts';
import type { EpisodeVerdict } from './judge/verdict.ts';

/** Options that each worker of an assessment receives once. Plain data; may be sent between threads. */
export interface StepOptions {
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  /** Recipe that cuts recordings into episodes. Absent: episodes as the readers return them. */
  readonly recipe?: Recipe;
  /** Rate in Hz for formats without timestamps; absent if none was declared. */
  readonly rate_hz?: number;
  readonly limit: number | null;
  /** Which pictures are examined. Default: `sampled`. */
  readonly pictures?: PictureScope;
  /**
   * True if receipts are made, to be kept, written or drawn. Otherwise only verdicts are made, and data that only
   * receipts need is skipped.
   */
  readonly seal: boolean;
  readonly receipts: boolean;
  /**
   * Describes episodes for search: `told` puts the description into the unit, `kept` into the data for judging.
   * Absent: no description.
   */
  readonly embed?: 'told' | 'kept';
  /** `pictures`: sketches only for episodes with cameras; the others can be drawn later. */
  readonly render: boolean | 'pictures';
  readonly thumbnails: number;
  /** Maximum number of codes of one episode's sketch. */
  readonly sketch_codes: number;
  readonly media_children: number;
  /** Decoders end as soon as all pictures are measured, to free their memory. */
  readonly end_decoders?: true;
  /** Threads that the reader of one worker may use, including the worker's own. */
  readonly reader_threads: number;
  /** Keeps measurements in memory; for small recordings. */
  readonly hold: boolean;
  readonly spool_bytes: number;
  readonly receipts_from: string;
  /** Measurement cache; absent: no cache. */
  readonly cache?: CacheLocation;
}

/** Data for a worker to reopen a dataset. */
export interface DatasetRef {
  readonly index: number;
  /** Path or reference that discovery was called with; paths are absolute. */
  readonly path: Recordings;
  readonly recognised: RecognisedDataset;
  /** Reader state from discovery, to reopen the dataset without reading its tables again. */
  readonly snapshot?: unknown;
  /** Severities for the chosen loaders, by code; absent or null: those of the findings and flags themselves. */
  readonly severities?: LoaderSeverities | null;
  /** Absolute base folder of the dataset's locators. */
  readonly root: string;
  /** Stamp of all files that it may read; absent or null if it is not cached. */
  readonly stamp?: string | null;
  /** Absolute folder of its receipts; `null`: none are written. */
  readonly receipts_folder: string | null;
  /** The same folder relative to the output folder, `/`-separated. */
  readonly receipts_name: string;
  /** Spreads receipts over subfolders of 1000. */
  readonly many: boolean;
}

/** A unit to measure. */
export interface Task {
  /** Position in the order of all work; results are sorted by it. */
  readonly place: number;
  readonly dataset: number;
  readonly unit: WorkUnit;
}

/** Samples and episodes of one stream in a unit. */
export interface StreamTotal {
  readonly role: string;
  readonly modality: string;
  samples: number;
  episodes: number;
}

/**
 * Data of a unit's episodes for judging: `held` in memory by the worker that measured them, or as text, one line per
 * episode, that any worker can read. Text costs a fifth of the time of an assessment without video, and no memory.
 */
export type EpisodeData = 'held' | SpoolRegion;

/** Comparison rows of a unit's episodes. */
interface UnitRows {
  readonly episodes: readonly string[];
  readonly indices: readonly number[];
  /** Per comparison with any rows: one row per episode; see `row-pack.ts`. */
  readonly packed: Readonly<Record<string, Uint8Array>>;
}

/** Result of measuring a unit. */
export interface MeasuredUnit {
  readonly place: number;
  readonly dataset: number;
  readonly kept: EpisodeData;
  readonly episodes: number;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  readonly streams: Readonly<Record<string, StreamTotal>>;
  readonly rows: UnitRows;
  /** Episodes cut from longer recordings, in order; absent if there are none. */
  readonly chunks?: readonly Chunk[];
  /** Descriptions for search, in recording order; absent if not requested. */
  readonly embedded?: readonly EmbeddedEpisode[];
  readonly findings: readonly Finding[];
  readonly unreadable: number;
  /** Episodes that could not be measured on this machine; absent if there are none. */
  readonly unfinished?: readonly Incomplete[];
}

/** A unit to judge. Any worker can do it: the task carries the data. */
export interface JudgeTask {
  readonly place: number;
  readonly dataset: number;
  readonly kept: EpisodeData;
  /** Notes per episode id; only for episodes that have any. */
  readonly notes: Readonly<Record<string, ComparisonNotes>>;
  /** True if part of its dataset was not measured, so that verdicts may change: receipts are withheld. */
  readonly provisional?: boolean;
}

/** Result of judging a unit. */
export interface JudgedUnit {
  readonly place: number;
  readonly verdicts: readonly EpisodeVerdict[];
  /** Canonical receipts, one per line; `null` if they are not kept. */
  readonly receipts: SpoolRegion | null;
  /** `RenderedEpisode`s, one per line; `null` if they are not kept. */
  readonly rendered: SpoolRegion | null;
  /** Total size of the rendered pictures, in characters. */
  readonly pictures: number;
}

/** Description of a run for a worker thread that keeps it open. */
export interface WorkerStart {
  readonly options: StepOptions;
  readonly datasets: readonly DatasetRef[];
  /** Descriptors of temporary files for measurements, receipts and rendered episodes. */
  readonly spools: readonly [measured: number, receipts: number, rendered: number];
}
