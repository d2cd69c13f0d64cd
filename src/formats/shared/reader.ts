import type { DeclaredStatistics, Episode, Finding, FrameLocator, SampledPicture } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { TopicMapping } from './messages/mapped-topics.ts';

/** Result of format detection for a folder or file, based on content and structure, never on a file extension alone. */
export interface Recognition {
  readonly format: string;
  /** Observations that led to the format, such as `meta/info.json says codebase_version v3.0`. */
  readonly evidence: readonly string[];
  /** Files of the dataset, relative to its folder; `null` if it is the whole subtree. */
  readonly files: readonly string[] | null;
}

/** Part of a dataset that one worker reads. Plain JSON, so it can be sent to another thread. */
export interface WorkUnit {
  /** Unique within the dataset. */
  readonly id: string;
  /** Expected number of episodes (for progress); may differ from what is read. */
  readonly expected_episodes: number;
  /** Index in the dataset of the unit's first episode. */
  readonly first_index: number;
  /** Bytes to read, for progress and for distributing work. */
  readonly bytes: number;
  /** Bytes that a look reads (it skips pictures and videos). Defaults to `bytes`. */
  readonly look_bytes?: number;
  /** Reader-specific data to locate the unit; opaque to other code. */
  readonly selector: unknown;
}

/** Facts about a dataset that are known after opening, before any episode is read. */
export interface DatasetFacts {
  readonly format: string;
  /** Format version such as `v3.0` or `ros2`; `null` if the format has none. */
  readonly version: string | null;
  readonly declared_episodes: number | null;
  readonly declared_frames: number | null;
  readonly declared_rate_hz: number | null;
  /** True if the format's own loader rejects a set whose timestamps run at another rate. */
  readonly rate_is_contract?: boolean | undefined;
  /** Id of a reader whose own metadata the dataset contains, such as `gr00t` for `meta/modality.json`. */
  readonly prepared_for?: string | undefined;
  readonly robot: string | null;
  /** Camera streams that the metadata declares. */
  readonly declared_cameras: readonly string[];
  /** Statistics over all rows as declared by the metadata; absent if it declares none. */
  readonly declared_statistics?: DeclaredStatistics | undefined;
}

/** An open dataset: facts, findings and work units; episodes are read unit by unit. */
export interface Dataset {
  readonly facts: DatasetFacts;
  readonly recognition: Recognition;
  readonly findings: readonly Finding[];
  readonly units: readonly WorkUnit[];
  /**
   * Reads the episodes of one unit. An episode that cannot be read is yielded as an `Unreadable` and reading continues.
   * @throws AssayError naming file and location if the whole unit is unreadable.
   */
  read(unit: WorkUnit, options: ReadOptions): AsyncIterable<Episode | Unreadable>;
  /**
   * Returns one picture that is embedded in the recording: the requested picture last, before it those that its
   * decoding depends on; empty if it is not there. Absent if the format has no embedded pictures.
   */
  picturesAt?(wanted: PictureRequest): Promise<readonly SampledPicture[]>;
  /**
   * Streams all embedded pictures of one stream in recording order, in a single pass. If absent, `readPictureStream`
   * requests them one by one.
   */
  pictures?(wanted: PictureStreamRequest): AsyncGenerator<StreamedPicture, void, undefined>;
  /**
   * Reads the summary at the end of the unit's files, without the rest; `null` if there is none. Values are declared,
   * not counted. Absent if the format has no such summary.
   */
  tail?(unit: WorkUnit): Promise<UnitTail | null>;
  /**
   * Plain data from which `FormatReader.openSnapshot` opens the dataset in another thread without reading its tables
   * again. If absent, the other thread opens the dataset normally.
   */
  readonly snapshot?: unknown;
  close(): Promise<void>;
}

/** Summary at the end of a recording file. */
export interface UnitTail {
  readonly messages: number;
  /** Time of the first and the last message, nanoseconds since the UNIX epoch. */
  readonly start_ns: string;
  readonly end_ns: string;
}

/** Request for one embedded picture of a stream. */
export interface PictureRequest {
  readonly locator: Extract<FrameLocator, { type: 'embedded' }>;
  /** Index of the episode in the dataset. */
  readonly episode_index: number;
  readonly start_ns: string | null;
  /** Index of the picture in the stream. */
  readonly row: number;
  /** Log time in seconds since the start of the episode; `null` if the format has none. */
  readonly log_s: number | null;
}

/** Request for all embedded pictures of a stream of one episode. */
export interface PictureStreamRequest extends Omit<PictureRequest, 'row' | 'log_s'> {
  readonly rows: number;
  /** Log time of each picture in seconds since the start of the episode; `null` if the format has none. */
  readonly log_s: Float64Array | null;
}

/** A picture read from a recording; `index` is its row in the stream. */
export interface StreamedPicture extends SampledPicture {
  /** True for a keyframe: decoding can start here. */
  readonly key: boolean;
}

/** Options for reading one work unit. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Receives the total bytes read so far of this unit; called at most once per chunk. */
  readonly onBytes?: (bytes: number) => void;
  /**
   * False if hashes of data and metadata files are not needed (no receipt will name them); a reader may then return
   * null. Hashes of videos and pictures are still needed to detect copies.
   */
  readonly hashes?: boolean;
  /**
   * False, together with `hashes: false`, if copies are not searched either; hashes of videos and pictures may then be
   * null as well.
   */
  readonly copies?: boolean;
  /**
   * True for a look (preview): a reader may leave every hash null and may return only the beginning of a long
   * recording, as an episode whose `cut` ends in `look`.
   */
  readonly look?: boolean;
  /**
   * True if the caller no longer uses an episode's numbers once it requests the next one, so a reader may reuse their
   * memory. Not set if pictures or video are decoded in parallel, when several episodes are in use at once.
   */
  readonly reuse_arrays?: boolean;
  /** Rate in Hz declared by the user for recordings without timestamps; overrides the mapping file. */
  readonly rate_hz?: number;
  /** Streams that a mapping file takes from topics of MCAP files and bags. */
  readonly topics?: TopicMapping;
  /** Threads that the reader may use, including the calling thread. Defaults to 1. */
  readonly threads?: number;
}

/** An episode that could not be read, with the reason as a finding. */
export interface Unreadable {
  readonly unreadable: true;
  readonly id: string;
  readonly index: number;
  readonly finding: Finding;
}

/** One of the datasets that a recognition was divided into; its files are relative to `folder`. */
export interface DividedRecognition {
  readonly folder: string;
  readonly recognition: Recognition;
}

/** Reader of one format: detection and opening. */
export interface FormatReader {
  readonly id: string;
  readonly title: string;
  /** One paragraph for the docs: what is recognised, what is read and what is not. */
  readonly about: string;
  /**
   * `folder`: `recognise` is called for every folder, top-down, and claims the whole subtree (a LeRobot set, a COCO
   * set); it should decide from file names without walking the list where possible. `files` (default): called once with
   * the files that no folder reader claimed, and returns those of this format.
   */
  readonly scope?: 'folder' | 'files';
  /**
   * Checks whether a folder or file has this format; `null` if not. Must be cheap: directory entries and first bytes
   * only. `misnamed`: files to accept despite their names, because `matchesHead` was true for them.
   */
  recognise(tree: SourceTree, misnamed?: ReadonlySet<string>): Promise<Recognition | null>;
  /** True if a file that begins with these bytes has this format. If absent, files are found by their names only. */
  matchesHead?(head: Uint8Array): Promise<boolean>;
  /**
   * Splits a recognition into one dataset per folder (`files` readers only), so that recordings of different robots are
   * not compared with each other. If absent, everything is one dataset.
   */
  divide?(recognition: Recognition): Promise<readonly DividedRecognition[]>;
  /**
   * True if the reader itself reports this file when it has no read permission, with the episodes concerned. A set with
   * any other unreadable file is not opened.
   */
  reportsClosedFile?(path: string): boolean;
  /**
   * Matches folders whose presence means that the files around them belong to another format (`files` readers only). If
   * such a folder cannot be read, the files are not opened.
   */
  readonly foreignSiblings?: RegExp;
  /** Opens a recognised dataset. */
  open(tree: SourceTree, recognition: Recognition): Promise<Dataset>;
  /** Opens a dataset in another thread from its `Dataset.snapshot`. */
  openSnapshot?(tree: SourceTree, recognition: Recognition, snapshot: unknown): Promise<Dataset>;
}
