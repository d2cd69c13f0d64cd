import type { Incomplete, ReadinessSettings } from '#core/api';
import type { Finding, Kind, PictureScope } from '#core/episode';
import type { RecognisedDataset, WorkUnit } from '#formats';
import type { Chunk, Recipe } from '#formats/recipes';
import type { ComparedNotes } from '#quality/readiness';
import type { CachePlace } from '../cache/cache-place.ts';
import type { Recordings } from '../recordings/open-recordings.ts';
import type { SpoolRegion } from '../spool/spool.ts';
import type { EmbeddedEpisode } from './embed/embed-episode.ts';
import type { EpisodeVerdict } from './judge/verdict.ts';

/** What every worker of an assessment is told once. Plain data: it crosses threads. */
export interface StepOptions {
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  /** Absent: recordings are episodes as their readers give them. */
  readonly recipe?: Recipe;
  /** Rate in Hz of recordings whose format keeps no times; absent: nobody declared one. */
  readonly rate_hz?: number;
  readonly limit: number | null;
  /** How many of the pictures are looked at; `sampled` when absent. */
  readonly pictures?: PictureScope;
  /** Receipts are made, to be kept, written or drawn; else only verdicts, and what only receipts need is left out. */
  readonly seal: boolean;
  readonly receipts: boolean;
  /** Episodes are described for search: `told` with the unit, `kept` with what judging needs. Absent: they are not. */
  readonly embed?: 'told' | 'kept';
  /** `pictures`: only of episodes with cameras; what the others are drawn from is kept elsewhere. */
  readonly render: boolean | 'pictures';
  readonly thumbnails: number;
  /** Codes of one episode's sketch. */
  readonly sketch_codes: number;
  readonly media_children: number;
  /** Decoders end as soon as pictures are measured, since their memory is wanted. */
  readonly end_decoders?: true;
  /** That the reader of one worker may keep busy, the worker's own among them. */
  readonly reader_threads: number;
  /** Hold what was measured, for recordings of few episodes. */
  readonly hold: boolean;
  readonly spool_bytes: number;
  readonly receipts_from: string;
  /** Absent: nothing is kept for another assessment. */
  readonly cache?: CachePlace;
}

/** A dataset as a worker finds it again. */
export interface DatasetRef {
  readonly index: number;
  /** What discovery was asked for, absolute. */
  readonly path: Recordings;
  readonly recognised: RecognisedDataset;
  /** Of the dataset as it was found: it is opened again without another look at its tables. */
  readonly carried?: unknown;
  /** Absolute folder that its locators' paths start from. */
  readonly root: string;
  /** Of all files it may read; absent or null where nothing of it is kept. */
  readonly stamp?: string | null;
  /** Folder of its receipts, absolute; null: none are written. */
  readonly receipts_folder: string | null;
  /** That folder relative to the output, `/`-separated. */
  readonly receipts_name: string;
  /** Spread receipts over folders of a thousand. */
  readonly many: boolean;
}

export interface Task {
  /** Place in the order of all work; orders results. */
  readonly place: number;
  readonly dataset: number;
  readonly unit: WorkUnit;
}

/** How much of a stream a unit held. */
export interface StreamTotal {
  readonly role: string;
  readonly modality: string;
  samples: number;
  episodes: number;
}

/**
 * What judging needs of a unit's episodes: `held` as they are by the worker that measured them, or as text, one a line,
 * that any worker can read. Text costs a fifth of the time of an assessment without video, and no memory.
 */
export type Kept = 'held' | SpoolRegion;

/** What comparisons collected of a unit's episodes. */
interface UnitRows {
  readonly episodes: readonly string[];
  readonly indices: readonly number[];
  /** By comparison, of those that have any: a row of each episode, see `row-pack.ts`. */
  readonly packed: Readonly<Record<string, Uint8Array>>;
}

export interface MeasuredUnit {
  readonly place: number;
  readonly dataset: number;
  readonly kept: Kept;
  readonly episodes: number;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  readonly streams: Readonly<Record<string, StreamTotal>>;
  readonly rows: UnitRows;
  /** Episodes that are parts of a longer recording, in its order; absent where there are none. */
  readonly chunks?: readonly Chunk[];
  /** In the order of recording; absent where nobody asked. */
  readonly embedded?: readonly EmbeddedEpisode[];
  readonly findings: readonly Finding[];
  readonly unreadable: number;
  /** Episodes that could not be measured here; absent where there are none. */
  readonly unfinished?: readonly Incomplete[];
}

/** A unit to be judged, by any worker: the task carries what it needs. */
export interface JudgeTask {
  readonly place: number;
  readonly dataset: number;
  readonly kept: Kept;
  /** By episode id; only episodes that have any. */
  readonly notes: Readonly<Record<string, ComparedNotes>>;
  /** Part of its dataset was not measured, which may change this verdict: its receipts are withheld. */
  readonly provisional?: boolean;
}

export interface JudgedUnit {
  readonly place: number;
  readonly verdicts: readonly EpisodeVerdict[];
  /** Canonical receipts, one a line; null when they are not kept. */
  readonly receipts: SpoolRegion | null;
  /** `RenderedEpisode`s, one a line; null when they are not kept. */
  readonly rendered: SpoolRegion | null;
  /** Characters of the pictures among them. */
  readonly pictures: number;
}

/** Comes before anything else but a look. */
export interface WorkerStart {
  readonly options: StepOptions;
  readonly datasets: readonly DatasetRef[];
  /** Descriptors of temporary files for what was measured, sealed and rendered. */
  readonly spools: readonly [measured: number, receipts: number, rendered: number];
}
