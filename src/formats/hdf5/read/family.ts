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
import type { ArrayRooms } from '../../shared/step-arrays/array-rooms.ts';
import type { AlohaOutline } from './aloha/aloha-outline.ts';

/** A way in which people lay out recordings in HDF5 files, told by what is in them, never by names of files. */
export interface Hdf5Family {
  readonly id: string;
  readonly title: string;
  /** Looks at a file; null: it is laid out in some other way. Throws what is damaged. */
  open(file: Hdf5File): Promise<Hdf5Recording | null>;
}

/** What one file holds, once its family is known. Good while the file is open. */
export interface Hdf5Recording {
  readonly family: string;
  /** What was seen: `demonstrations data/demo_0 … with actions`. */
  readonly evidence: string;
  readonly declared_frames: number | null;
  readonly declared_rate_hz: number | null;
  readonly robot: string | null;
  readonly cameras: readonly string[];
  /** What files of an ALOHA set are compared by; other families have none. */
  readonly aloha?: AlohaOutline;
  /** Of the file as a whole. */
  readonly findings: readonly Finding[];
  /** What holds for every file of its kind, and whoever trains on it must know. */
  readonly conventions: readonly Finding[];
  /** Names of its episodes in the file; '' where the file is one. */
  readonly episodes: readonly string[];
  /** Bytes that a look reads, which leaves pictures alone. */
  readonly look_bytes: number;
  read(position: number, options: EpisodeOptions): Promise<EpisodeParts>;
  /** One picture as `read` saw it; null where it is not there. */
  picture(position: number, channel: string, row: number): Promise<Picture | null>;
}

export interface Picture {
  readonly bytes: Uint8Array;
  /** null: a picture file, as its first bytes say. */
  readonly layout: RawLayout | null;
}

export interface EpisodeOptions {
  /** False: pictures are named and not read. */
  readonly pictures: boolean;
  /** Where the numbers may lie that the next episode's may be written over; null: each in memory of its own. */
  readonly rooms: ArrayRooms | null;
}

/** What a file says of one episode; what all episodes have in common is added by who reads it. */
export interface EpisodeParts {
  readonly streams: readonly Stream[];
  readonly duration_s: number;
  readonly tasks: readonly TaskText[] | null;
  readonly outcome: Outcome;
  readonly robot: string | null;
  readonly calibrations: readonly Calibration[];
  readonly grippers: readonly GripperConvention[];
  readonly findings: readonly Finding[];
  /** Rows of the file's arrays, where they hold more than this episode. */
  readonly rows: readonly [from: number, to: number] | null;
}
