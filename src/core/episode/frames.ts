/**
 * Location of a camera's pictures: an episode holds references, not pictures. Paths are relative to the dataset's root,
 * `/`-separated.
 */
export type FrameLocator =
  /** A span of a video file: LeRobot v3 puts many episodes into one. `to_s` is exclusive; `null` means the end of the file. */
  | {
      readonly type: 'video';
      readonly path: string;
      readonly from_s: number;
      readonly to_s: number | null;
      /** Frames in the span according to the recording (rows of its table); `null` if it does not say. */
      readonly expected_frames: number | null;
      /**
       * The file has no timestamps (raw H.264, HEVC), or none of the capture (DROID): its frame i is sample i of the
       * stream.
       */
      readonly unstamped?: true;
      /** Frames that the format's loader requests; absent if it does not read by time. */
      readonly asked?: LoaderRequests;
    }
  /** Picture files, one per frame, in order. */
  | { readonly type: 'image-files'; readonly paths: readonly string[] }
  /** Pictures inside another container (an MCAP topic, a Parquet column). */
  | {
      readonly type: 'embedded';
      readonly path: string;
      /** Topic or column. */
      readonly channel: string;
      readonly encoding: PictureEncoding;
    }
  /** Named by the recording and absent. */
  | { readonly type: 'missing'; readonly path: string; readonly reason: string };

/** Frames that a loader requests from a video: the frame at from_s + i / rate_hz for row i. */
export interface LoaderRequests {
  readonly rows: number;
  readonly rate_hz: number;
  /** The loader refuses a frame at this distance from the requested time or farther. */
  readonly tolerance_s: number;
  /** Time in the file at which the next episode's frames begin; `null` if none follow. */
  readonly until_s: number | null;
  /**
   * Time in the file at which the last episode's frames end, in seconds, if the windows of all episodes follow each
   * other from 0 without gap or overlap; absent if they do not.
   */
  readonly windows_end_s?: number;
}

/** `jpeg`, `png`, `webp`: a picture file. `h264` … `av1`: one access unit each. `raw`: pixels as described. */
export type PictureEncoding = 'jpeg' | 'png' | 'webp' | 'h264' | 'h265' | 'av1' | 'vp9' | 'raw' | 'unknown';

/** Layout of raw pixels, as in sensor_msgs/Image: `rgb8`, `bgr8`, `mono8`, `yuv422`, `16UC1`, … */
export interface RawLayout {
  readonly encoding: string;
  readonly width: number;
  readonly height: number;
  readonly step: number;
}

/** A picture of an embedded stream that a reader sampled for measuring. `bytes` is the payload as recorded. */
export interface SampledPicture {
  readonly index: number;
  readonly time_s: number;
  readonly bytes: Uint8Array;
  readonly layout?: RawLayout;
}

/** The pictures of a camera stream: where they are and what the recording declares about them. */
export interface Frames {
  readonly locator: FrameLocator;
  /** Declared width and height in px; `null` if not declared. */
  readonly declared_size_px: readonly [width: number, height: number] | null;
  readonly declared_codec: string | null;
  /** Embedded streams only: CRC-32 and size in bytes of every payload, to find repeats without decoding. */
  readonly payloads?: { readonly crc32: Uint32Array; readonly bytes: Uint32Array };
  /** Embedded streams only: a bounded sample of the pictures themselves, spread over the episode. */
  readonly kept?: readonly SampledPicture[];
}
