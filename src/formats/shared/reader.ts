import type { DeclaredStatistics, Episode, Finding, FrameLocator, KeptPicture } from '#core/episode';
import type { SourceTree } from '#io/sources';

/** Why a place was taken for a format: sniffed bytes and structure, never a file's extension alone. */
export interface Recognition {
  readonly format: string;
  /** What was seen: `meta/info.json says codebase_version v3.0`. */
  readonly evidence: readonly string[];
  /** Files of the place that belong to the dataset, relative to it; null: the whole subtree does. */
  readonly files: readonly string[] | null;
}

/** A part of a dataset that one worker reads on its own: plain JSON, so it can be sent to another thread. */
export interface WorkUnit {
  /** Unique in the dataset. */
  readonly id: string;
  /** Episodes it will yield, as far as is known before reading; for progress. */
  readonly expected_episodes: number;
  /** Index of its first episode in the dataset. */
  readonly first_index: number;
  /** Bytes it will read, for progress and for sharing out. */
  readonly bytes: number;
  /** Bytes of it that a mere look reads, which leaves pictures and videos alone; as many as `bytes` when absent. */
  readonly look_bytes?: number;
  /** What the reader needs to find it again; opaque to everybody else. */
  readonly selector: unknown;
}

/** What a dataset says of itself and what was seen on opening, before any episode is read. */
export interface DatasetFacts {
  readonly format: string;
  /** `v3.0`, `ros2`, …; null where the format has no version. */
  readonly version: string | null;
  readonly declared_episodes: number | null;
  readonly declared_frames: number | null;
  readonly declared_rate_hz: number | null;
  /** The format's own reader refuses a set whose stamps run at another rate. */
  readonly rate_is_contract?: boolean | undefined;
  readonly robot: string | null;
  /** Camera streams the metadata promises. */
  readonly declared_cameras: readonly string[];
  /** What the metadata says of all rows together; absent where it says nothing. */
  readonly declared_statistics?: DeclaredStatistics | undefined;
}

export interface Dataset {
  readonly facts: DatasetFacts;
  readonly recognition: Recognition;
  readonly findings: readonly Finding[];
  readonly units: readonly WorkUnit[];
  /**
   * Reads one unit. An episode that cannot be read is yielded as an `Unreadable` and the rest goes on; only what
   * makes the whole unit unreadable throws (an AssayError naming file and place).
   */
  read(unit: WorkUnit, options: ReadOptions): AsyncIterable<Episode | Unreadable>;
  /**
   * Payloads of a stream whose pictures lie inside the recording: the one wanted last, before it those that decoding
   * it needs; none where it is not there. Absent: this format has no such streams.
   */
  picturesAt?(wanted: PictureWanted): Promise<readonly KeptPicture[]>;
  /**
   * Every picture of such a stream, in the order of the recording, read once from end to end. Absent: they are asked for
   * one by one, see `picturesOf`.
   */
  pictures?(wanted: PicturesWanted): AsyncGenerator<StreamedPicture, void, undefined>;
  /**
   * What the ends of a unit's files say of all of it, read without the rest; null where they say nothing. Declared,
   * not counted. Absent: this format has no such thing.
   */
  tail?(unit: WorkUnit): Promise<UnitTail | null>;
  /**
   * Plain data from which `openCarried` opens the dataset in another thread, without its tables being read again.
   * Absent: another thread opens it as this one did.
   */
  readonly carried?: unknown;
  close(): Promise<void>;
}

/** A recording by its own summary. */
export interface UnitTail {
  readonly messages: number;
  /** Nanoseconds since the UNIX epoch, of the first and the last message. */
  readonly start_ns: string;
  readonly end_ns: string;
}

/** One picture of a stream, and by what it is found again. */
export interface PictureWanted {
  readonly locator: Extract<FrameLocator, { type: 'embedded' }>;
  /** Of the episode in its dataset. */
  readonly episode_index: number;
  readonly start_ns: string | null;
  /** Which of the episode's pictures, in the order of the stream. */
  readonly row: number;
  /** When the recorder wrote it down, since the start of the episode; null where the format has no such time. */
  readonly log_s: number | null;
}

/** All pictures of a stream of one episode, and by what they are found again. */
export interface PicturesWanted extends Omit<PictureWanted, 'row' | 'log_s'> {
  readonly rows: number;
  /** When the recorder wrote each down, since the start of the episode; null where the format has no such time. */
  readonly log_s: Float64Array | null;
}

/** A picture on its way out of a recording; `index` is its row. */
export interface StreamedPicture extends KeptPicture {
  /** Decoding can start here. */
  readonly key: boolean;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Bytes read so far of this unit, for progress; called at most once a chunk. */
  readonly onBytes?: (bytes: number) => void;
  /**
   * False: hashes of data and metadata files are not needed, since no receipt will name them; a reader may leave them
   * null. Those of videos and pictures are needed always: they tell copies.
   */
  readonly hashes?: boolean;
  /** False beside `hashes`: nobody looks for copies either, so that those of videos and pictures may be null as well. */
  readonly copies?: boolean;
  /**
   * True: somebody only wants to see what is there. A reader may leave every hash null, and give of a long recording no
   * more than its beginning, as an episode whose `cut` ends in `look`.
   */
  readonly look?: boolean;
  /**
   * True: whoever asks for the next episode is done with the numbers of the one before, so that a reader may write the
   * next one's over them. Where pictures or video are decoded beside, several episodes are at work and none is written
   * over.
   */
  readonly reuse_arrays?: boolean;
  /** Rate in Hz that a person declares for recordings whose format keeps no times; wins over a mapping file's. */
  readonly rate_hz?: number;
  /** Threads that the reader may keep busy, the calling one among them; 1 when absent. */
  readonly threads?: number;
}

/** One episode that its reader could not give. */
export interface Unreadable {
  readonly unreadable: true;
  readonly id: string;
  readonly index: number;
  readonly finding: Finding;
}

/** A part of a recognition: files are relative to its folder. */
export interface DividedRecognition {
  readonly folder: string;
  readonly recognition: Recognition;
}

export interface FormatReader {
  readonly id: string;
  readonly title: string;
  /** One paragraph for the docs: what is recognised, what is read, what is not. */
  readonly about: string;
  /**
   * `folder`: asked of every folder, top-down, and takes the whole subtree (a LeRobot set, a COCO set): answer from
   * names that are there, without walking the list where that can be avoided. `files` (when absent): asked once, of
   * what no folder reader took, and names the files that are its own.
   */
  readonly scope?: 'folder' | 'files';
  /**
   * Looks at a folder or a lone file; cheap: directory entries and first bytes. Null: not mine. `misnamed`: files whose
   * names are no reason to leave them out, since `startsLike` said so of their first bytes.
   */
  recognise(tree: SourceTree, misnamed?: ReadonlySet<string>): Promise<Recognition | null>;
  /** Whether a file that begins with these bytes is of this format. Absent: its files are found by their names alone. */
  startsLike?(head: Uint8Array): Promise<boolean>;
  /**
   * `files` readers only: takes what was recognised apart into datasets of their own, each in its folder, so that
   * recordings of different robots are not held against each other. When absent, it is all one dataset.
   */
  divide?(recognition: Recognition): Promise<readonly DividedRecognition[]>;
  /**
   * Whether the reader itself says of a file that it may not be read, and of which episodes. A set with any other such file
   * is not opened.
   */
  saysClosed?(path: string): boolean;
  /** `files` readers only: folders that make another dataset of the files around them, so that none of these may be closed. */
  readonly notBeside?: RegExp;
  open(tree: SourceTree, recognition: Recognition): Promise<Dataset>;
  /** Opens a dataset from what its first opening `carried`. */
  openCarried?(tree: SourceTree, recognition: Recognition, carried: unknown): Promise<Dataset>;
}
