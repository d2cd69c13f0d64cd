import type { CameraEvidence, Frames, PictureScope } from '#core/episode';
import type { Film, FilmFacts, FilmRequest } from './film.ts';

/** Bytes of a file, from the first up to the second, which is not among them. */
export type FilePart = readonly [from: number, to: number];

/** What more of a file it takes; null: all of it. */
export interface WantedParts {
  readonly wants: readonly FilePart[] | null;
}

/** One camera of one episode to be measured. Structured-cloneable: it crosses a process boundary. */
export interface CameraRequest {
  /** Absolute folder that the locator's paths start from. */
  readonly root: string;
  /** Folder that links of these files may lead into, which holds the root; absent: the root alone. */
  readonly within?: string;
  readonly frames: Frames;
  /** Rate the recording declares, for frame indices where stamps are missing. */
  readonly declared_rate_hz: number | null;
  /** Frames the episode's table says there are; null when it does not. */
  readonly expected_frames: number | null;
  /** For pictures whose files do not say (picture files, `unstamped` video): when each is shown, by the clock of the stream. */
  readonly stamps_s?: Float64Array | null;
  /** How many thumbnails to keep; 0 for none. */
  readonly thumbnails: number;
  /** `sampled` when absent. */
  readonly pictures?: PictureScope;
}

/** The same of a video file of which only parts are there. */
export interface PartsRequest extends CameraRequest {
  /** Ascending, not touching each other; everything else reads as zeros. */
  readonly parts: readonly FilePart[];
}

/** Single frames of one camera, as pictures to look at. */
export interface FramesRequest {
  readonly root: string;
  readonly frames: Frames;
  /** For picture files, which carry no stamps: frame k is at k / declared_rate_hz (1 Hz when null). */
  readonly declared_rate_hz: number | null;
  /** For `unstamped` video: when each frame is shown, seconds since the start of the episode. */
  readonly stamps_s?: Float64Array | null;
  /** Seconds since the start of the episode. */
  readonly times_s: readonly number[];
  /** `shown`: the frame that is on the screen then, the last at or before that time. Default `nearest`. */
  readonly pick?: 'nearest' | 'shown';
  /** Width of the JPEGs; never enlarged. */
  readonly width_px: number;
  /** Of the JPEGs, 1 to 100; absent: 70. */
  readonly quality?: number;
}

/** A frame as a picture to look at. */
export interface Picture {
  readonly jpeg: Uint8Array;
  /** Since the start of the episode. */
  readonly time_s: number;
}

/** Why there is no picture. */
export interface NoPicture {
  readonly jpeg: null;
  readonly reason: string;
}

/** Frames that somebody looks at: how many of a second, and how large. */
export interface FrameWish {
  readonly rate_hz: number;
  /** Frames that are larger are reduced to it; smaller ones are not enlarged. */
  readonly longest_side_px: number;
}

/** A frame that is wanted, and by which of the wishes. */
export interface PlannedFrame {
  /** Place in the stream. */
  readonly row: number;
  /** Since the start of the episode. */
  readonly time_s: number;
  readonly wishes: readonly number[];
}

/** Frames of one camera for all who look at them, each decoded once. */
export interface DecodeRequest {
  readonly root: string;
  readonly frames: Frames;
  /** Where no stamps are given: frame k is at k / declared_rate_hz (1 Hz when null). */
  readonly declared_rate_hz: number | null;
  /** When each frame was taken, since the start of the episode. Video that has stamps of its own goes by those. */
  readonly stamps_s: Float64Array | null;
  readonly wishes: readonly FrameWish[];
  /**
   * Frames that were chosen already: of a video by their places in the span, rising; of pictures inside a recording,
   * where `frames.kept` holds what decoding these takes. Absent: all that the wishes take, by `planFrames`.
   */
  readonly plan?: readonly PlannedFrame[];
  /** Distances as they were recorded, in full size, and no pictures; of a wish only the rate counts. */
  readonly distances?: true;
}

/** What a depth camera measured: a number a pixel, as recorded, rows from the top. */
export interface DistancePicture {
  readonly width_px: number;
  readonly height_px: number;
  readonly values: Uint16Array | Float32Array;
}

/** A picture of three bytes a pixel, upright, rows from the top. */
export interface RgbPicture {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
  /** Width and height before it was reduced, upright. */
  readonly stored_px: readonly [width: number, height: number];
}

/** A frame that was decoded: reduced for each wish; null for those that do not want it. */
export interface DecodedFrame {
  readonly row: number;
  /** Since the start of the episode. */
  readonly time_s: number;
  readonly pictures: readonly (RgbPicture | null)[];
  /** Where the request asks for distances; then there are no pictures. */
  readonly distances?: DistancePicture;
}

/** A frame that gives no picture. */
interface UndecodedFrame {
  readonly row: number;
  readonly time_s: number;
  /** Places of the wishes that want it. */
  readonly wishes: readonly number[];
  readonly reason: string;
}

export type FrameOutcome = DecodedFrame | UndecodedFrame;

/**
 * Measures cameras in killable child processes. What a decoder says of a file is evidence. Where no decoder came to an
 * answer (its process ended, twice; it ran into a limit that protects the machine; a library is missing) nothing is
 * known of the file: `examine` throws `unfinished`, the child is replaced and the rest goes on.
 */
export interface MediaService {
  /** Starts a child for what will be asked soon, unless one is there. */
  prepare(): void;
  /** Throws `unfinished`, and `cancelled` where the service is closed meanwhile. */
  examine(request: CameraRequest): Promise<CameraEvidence>;
  /**
   * The same from the parts of a file that are there, or which parts it takes: the index first, then the frames that are
   * sampled. What looks damaged or doubtful takes more, up to the whole file, so that evidence is that of the whole file;
   * only damage in packets that no sample takes is not seen.
   */
  examineParts(request: PartsRequest): Promise<CameraEvidence | WantedParts>;
  /** One answer a time asked for, in that order. */
  framesAt(request: FramesRequest): Promise<readonly (Picture | NoPicture)[]>;
  /**
   * Frames in the order of recording, some megabytes at a time, decoded while they are read: one batch ahead and no more.
   * Throws `media_failed` where nothing of the camera can be decoded, `unfinished`, and `cancelled` after `signal`.
   */
  decode(request: DecodeRequest, signal?: AbortSignal): AsyncGenerator<readonly FrameOutcome[]>;
  /**
   * Writes part of a camera as an MP4 for browsers; the file is whole once this resolves, and to be taken away where it
   * does not. Throws `media_failed` where nothing of it can be shown, `unfinished`.
   */
  film(request: FilmRequest): Promise<Film>;
  /** What can be told of such a film without making it; `target` is not looked at. Throws as `film`. */
  filmFacts(request: FilmRequest): Promise<FilmFacts>;
  /**
   * Ends the requests under way and the children that work on them. Idle children are kept for five seconds for the next
   * service of this thread, unless `keep_idle` is false.
   */
  close(): Promise<void>;
}

export interface MediaOptions {
  /** Child processes at most; each decodes on one thread. Default 2. */
  readonly children?: number;
  /** Processor time of a child over one request without another packet or picture; then it is ended. Default 300. */
  readonly cpu_limit_s?: number;
  /**
   * How long a child may neither compute nor come further, such as on a disk that does not answer, while the machine
   * gives it turns; then it is ended. Default 900.
   */
  readonly idle_limit_s?: number;
  /** How long nothing is heard of a child at all: it was stopped. Counted while this process has turns. Default 900. */
  readonly silent_limit_s?: number;
  /** Resident memory of one child; one that takes more is ended. Default 1024. */
  readonly memory_limit_mb?: number;
  /** Whether idle children outlive `close`, for the next service of this thread. Default true. */
  readonly keep_idle?: boolean;
  /** Called about once a second while a child works, so that waiting for it counts as progress. */
  readonly onAlive?: () => void;
}
