import type { Hdf5File } from '@assay/hdf5';
import type {
  Calibration,
  Finding,
  GripperConvention,
  Outcome,
  RawLayout,
  Stream,
  TaskText,
} from '#core/episode';
import type { ArrayPool } from '../shared/arrays/step-arrays.ts';
import type { AlohaReader } from './aloha-rules.ts';

/** A layout of recordings in HDF5 files, recognised by contents, never by file names. */
export interface Hdf5Family {
  readonly id: string;
  readonly title: string;
  /**
   * Opens a file; `null` if it has another layout.
   * @throws AssayError if the file is damaged
   */
  open(file: Hdf5File): Promise<Hdf5Recording | null>;
}

/** Contents of one file; usable while the file is open. */
export interface Hdf5Recording {
  readonly family: string;
  /** Evidence for the recognition: `demonstrations data/demo_0 … with actions`. */
  readonly evidence: string;
  readonly declared_frames: number | null;
  readonly declared_rate_hz: number | null;
  readonly robot: string | null;
  readonly cameras: readonly string[];
  /** Outline by which files of an ALOHA dataset are compared; absent in other families. */
  readonly aloha?: AlohaOutline;
  /** Findings about the whole file. */
  readonly findings: readonly Finding[];
  /** Findings about conventions of this kind of file that training code must know. */
  readonly conventions: readonly Finding[];
  /** Names of its episodes; '' if the file is one episode. */
  readonly episodes: readonly string[];
  /** Bytes read without images. */
  readonly look_bytes: number;
  /**
   * Reads the episode at a position in `episodes`.
   * @throws AssayError if it cannot be read
   */
  read(position: number, options: EpisodeOptions): Promise<EpisodeParts>;
  /** Reads one image; `null` if it does not exist. */
  picture(position: number, channel: string, row: number): Promise<Picture | null>;
}

/** One stored image. */
export interface Picture {
  readonly bytes: Uint8Array;
  /** Layout of raw pixels; `null` for an encoded image file. */
  readonly layout: RawLayout | null;
}

/** Options for reading one episode. */
export interface EpisodeOptions {
  /** False: camera streams are returned without reading images. */
  readonly pictures: boolean;
  /** Arrays that are reused by the next episode; `null` allocates new memory for each. */
  readonly pool: ArrayPool | null;
}

/** Parts of an episode that depend on the file; the caller adds those common to all episodes. */
export interface EpisodeParts {
  readonly streams: readonly Stream[];
  readonly duration_s: number;
  readonly tasks: readonly TaskText[] | null;
  readonly outcome: Outcome;
  readonly robot: string | null;
  readonly calibrations: readonly Calibration[];
  readonly grippers: readonly GripperConvention[];
  readonly findings: readonly Finding[];
  /** Row range of the episode; `null` if the arrays hold this episode only. */
  readonly rows: readonly [from: number, to: number] | null;
}

/** Plain-data outline of an ALOHA file, compared across the dataset. */
export interface AlohaOutline {
  /** Training program whose rules apply: act-plus-plus for encoded images. */
  readonly reader: AlohaReader;
  /** Value of the attribute `compress`. */
  readonly declares_encoded: boolean;
  readonly has_encoded: boolean;
  /** Shapes of /action and /observations/qpos. */
  readonly action: readonly number[];
  readonly qpos: readonly number[];
  /** Camera names below /observations/images, without depth, including unreadable ones. */
  readonly cameras: readonly string[];
  /** Image shape by camera, for cameras with raw pixels. */
  readonly sizes: Readonly<Record<string, readonly number[]>>;
}
