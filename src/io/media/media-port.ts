import type { CameraEvidence, Frames, PictureScope, RawLayout } from '#core/episode';

/** Byte range of a file; `to` is exclusive. */
export type ByteRange = readonly [from: number, to: number];

/** Answer to a request that needs more of a file: the missing byte ranges, or null if it needs the whole file. */
export interface MissingParts {
  readonly wants: readonly ByteRange[] | null;
}

/**
 * Request to measure one camera of one episode. It is passed to another process, so it contains only
 * structured-cloneable values.
 */
export interface CameraRequest {
  /** Absolute folder that the locator's paths start from. */
  readonly root: string;
  /** Folder inside of which symbolic links may point; it contains the root. Default: the root. */
  readonly within?: string;
  readonly frames: Frames;
  /** Declared frame rate, used for frame times where stamps are missing. */
  readonly declared_rate_hz: number | null;
  /** Number of frames according to the table of the episode; null if it does not say. */
  readonly expected_frames: number | null;
  /** Time of each frame on the clock of the stream, for picture files and `unstamped` video. */
  readonly stamps_s?: Float64Array | null;
  /** Number of thumbnails; 0 for none. */
  readonly thumbnails: number;
  /** `sampled` when absent. */
  readonly pictures?: PictureScope;
}

/** Request to measure a camera whose video file is only partly present. */
export interface PartsRequest extends CameraRequest {
  /** Present byte ranges, ascending and with gaps between them; everything else reads as zeros. */
  readonly parts: readonly ByteRange[];
}

/** Request for single frames of one camera as JPEG. */
export interface FramesRequest {
  readonly root: string;
  readonly frames: Frames;
  /** For picture files, which have no stamps: frame k is at k / declared_rate_hz (1 Hz when null). */
  readonly declared_rate_hz: number | null;
  /** For `unstamped` video: time of each frame in seconds since the start of the episode. */
  readonly stamps_s?: Float64Array | null;
  /** Seconds since the start of the episode. */
  readonly times_s: readonly number[];
  /**
   * `shown`: the last frame at or before the time, as a player shows it. `nearest` (default): the frame with the
   * nearest time.
   */
  readonly pick?: 'nearest' | 'shown';
  /** Maximum width of the JPEGs; smaller frames are not enlarged. */
  readonly width_px: number;
  /** JPEG quality, 1 to 100. Default 70. */
  readonly quality?: number;
}

/** A frame as JPEG. */
export interface Picture {
  readonly jpeg: Uint8Array;
  /** Since the start of the episode. */
  readonly time_s: number;
}

/** A frame that could not be provided, with the reason. */
export interface NoPicture {
  readonly jpeg: null;
  readonly reason: string;
}

/** Frames that one consumer needs: rate and size. */
export interface FrameNeed {
  readonly rate_hz: number;
  /** Larger frames are scaled down to this longest side; smaller ones are not enlarged. */
  readonly longest_side_px: number;
}

/** A frame to decode, with the indices of the needs that use it. */
export interface PlannedFrame {
  /** Frame number in the stream. */
  readonly row: number;
  /** Since the start of the episode. */
  readonly time_s: number;
  readonly needs: readonly number[];
}

/** Request to decode frames of one camera for several consumers; each frame is decoded once. */
export interface DecodeRequest {
  readonly root: string;
  readonly frames: Frames;
  /** Used if `stamps_s` is null: frame k is at k / declared_rate_hz (1 Hz when null). */
  readonly declared_rate_hz: number | null;
  /** Time of each frame in seconds since the start of the episode; ignored for video with stamps of its own. */
  readonly stamps_s: Float64Array | null;
  readonly needs: readonly FrameNeed[];
  /**
   * Frames to decode, ascending. For a video, `row` counts the frames of the span; for embedded pictures, `frames.kept`
   * must contain everything that decoding them needs. Default: chosen by `planFrames` from `needs`.
   */
  readonly plan?: readonly PlannedFrame[];
  /** Returns depth values as recorded, in full size, instead of pictures; only the rate of the needs counts. */
  readonly distances?: true;
}

/** Depth picture: one value per pixel as recorded, rows from the top. */
export interface DistancePicture {
  readonly width_px: number;
  readonly height_px: number;
  readonly values: Uint16Array | Float32Array;
}

/** An upright RGB picture with 3 bytes per pixel, rows from the top. */
export interface RgbPicture {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
  /** Upright width and height before scaling. */
  readonly stored_px: readonly [width: number, height: number];
}

/** A decoded frame with one picture per need; null for needs that do not use this frame. */
export interface DecodedFrame {
  readonly row: number;
  /** Since the start of the episode. */
  readonly time_s: number;
  readonly pictures: readonly (RgbPicture | null)[];
  /** Set instead of pictures if the request asks for distances. */
  readonly distances?: DistancePicture;
}

/** A frame that could not be decoded, with the reason. */
interface UndecodedFrame {
  readonly row: number;
  readonly time_s: number;
  /** Indices of the needs that use it. */
  readonly needs: readonly number[];
  readonly reason: string;
}

export type FrameOutcome = DecodedFrame | UndecodedFrame;

/**
 * Decodes and measures cameras in child processes that can be killed. Errors that a decoder reports about a file are
 * part of the evidence. If decoding did not finish for other reasons (the process died twice, a protective limit was
 * reached, a library is missing), nothing is known about the file: `examine` throws `unfinished`, the child is replaced
 * and other requests continue.
 */
export interface MediaService {
  /** Starts a child process for upcoming requests unless one is running. */
  prepare(): void;
  /** Measures a camera. Throws `unfinished`, and `cancelled` if the service is closed meanwhile. */
  examine(request: CameraRequest): Promise<CameraEvidence>;
  /**
   * Measures a camera from the present parts of its video file, or returns the missing parts: first the container
   * index, then the sampled frames. Damaged or doubtful frames require more, up to the whole file, so that the evidence
   * equals that of the whole file, except for damage in packets that are not sampled.
   */
  examineParts(request: PartsRequest): Promise<CameraEvidence | MissingParts>;
  /** Returns one picture, or the reason why there is none, per requested time, in that order. */
  framesAt(request: FramesRequest): Promise<readonly (Picture | NoPicture)[]>;
  /**
   * Decodes frames in recording order and yields them in batches of some megabytes. One batch is decoded ahead.
   * Throws `media_failed` if nothing of the camera can be decoded, `unfinished`, and the abort reason after `signal`.
   */
  decode(request: DecodeRequest, signal?: AbortSignal): AsyncGenerator<readonly FrameOutcome[]>;
  /**
   * Writes part of a camera as an MP4 file for browsers. The file is complete when this resolves; after an error the
   * caller has to delete it. Throws `media_failed` if no frame can be shown, and `unfinished`.
   */
  film(request: FilmRequest): Promise<Film>;
  /** Returns what is known about a film without writing it; `target` is not used. Throws the same errors as `film`. */
  filmFacts(request: FilmRequest): Promise<FilmFacts>;
  /**
   * Ends running requests and their child processes. Idle children stay for 5 s for the next service of this thread
   * unless `keep_idle` is false.
   */
  close(): Promise<void>;
}

/** Options of `createMediaService`. */
export interface MediaOptions {
  /** Maximum number of child processes; each decodes on one thread. Default 2. */
  readonly children?: number;
  /**
   * CPU seconds a child may spend on one request without another packet or picture before it is killed. Default 300.
   */
  readonly cpu_limit_s?: number;
  /**
   * Seconds a child may be idle without progress, such as on a disk that does not answer, before it is killed. Time in
   * which the machine is suspended does not count. Default 900.
   */
  readonly idle_limit_s?: number;
  /**
   * Seconds without any sign of life before a child is killed. Time in which this process is suspended does not count.
   * Default 900.
   */
  readonly silent_limit_s?: number;
  /** Resident memory in MB of one child before it is killed. Default 1024. */
  readonly memory_limit_mb?: number;
  /** True (default) if idle children stay for the next service of this thread after `close`. */
  readonly keep_idle?: boolean;
  /** Called about once a second while a child works, so that waiting for it counts as progress. */
  readonly onAlive?: () => void;
}

/** A picture that was copied from a recording into a spool file. */
export interface SpooledPicture {
  /** Frame number in the stream. */
  readonly index: number;
  /** Since the start of the episode. */
  readonly time_s: number;
  /** True if decoding can start at this picture. */
  readonly key: boolean;
  /** Byte offset in the spool file. */
  readonly offset: number;
  readonly bytes: number;
  readonly layout?: RawLayout;
}

/** Pictures of a recording in recording order, concatenated in one file. */
export interface PictureSpool {
  readonly path: string;
  readonly pictures: readonly SpooledPicture[];
}

/**
 * Request to write part of a camera as a film for browsers. It is passed to another process, so it contains only
 * structured-cloneable values.
 */
export interface FilmRequest {
  /** Absolute folder that the locator's paths start from. */
  readonly root: string;
  /** Folder inside of which symbolic links may point; it contains the root. Default: the root. */
  readonly within?: string;
  readonly frames: Frames;
  /** Used if `stamps_s` is null: frame k is at k / declared_rate_hz (1 Hz when null). */
  readonly declared_rate_hz: number | null;
  /** Time of each frame in seconds since the start of the episode; ignored for video with stamps of its own. */
  readonly stamps_s: Float64Array | null;
  /** Pictures of the camera; only for embedded pictures. */
  readonly spool?: PictureSpool;
  /** Time range in seconds since the start of the episode; `until_s` is exclusive, null: to the end. */
  readonly from_s: number;
  readonly until_s: number | null;
  /**
   * `recorded`: packets are copied if browsers can play the codec, else re-encoded. `h264`: only H.264 packets are
   * copied.
   */
  readonly codec: FilmCodec;
  /** Maximum longest side of re-encoded films; never enlarged. */
  readonly longest_side_px: number;
  /** Absolute path of the MP4 file; an existing file is overwritten. */
  readonly target: string;
}

export type FilmCodec = 'recorded' | 'h264';

/** A written film. */
export interface Film {
  /** Time of its first frame, which it shows at 0, in seconds since the start of the episode. */
  readonly starts_s: number;
  readonly frames: number;
  /** Number of frames that could not be decoded and are missing; null for copied packets, where it is unknown. */
  readonly undecoded: number | null;
  /** `copied`: contains the packets of the recording. */
  readonly made: 'copied' | 'encoded';
  /** Media type with codecs, as accepted by `canPlayType`. */
  readonly mime: string;
  readonly size_px: readonly [width: number, height: number];
  /** CPU seconds used. */
  readonly cpu_s: number;
}

/** Properties of a film that are known before it is written. */
export interface FilmFacts {
  /** Codec of the recording, such as `h264`, `hevc`, `jpeg`; null if unknown. */
  readonly codec: string | null;
  /** Media type if the packets can be copied; null if they must be re-encoded. */
  readonly mime: string | null;
  readonly size_px: readonly [width: number, height: number] | null;
  readonly rate_hz: number | null;
  readonly frames: number;
  /** Times of the first and last frame in seconds since the start of the episode; null if unknown. */
  readonly starts_s: number | null;
  readonly last_s: number | null;
}
