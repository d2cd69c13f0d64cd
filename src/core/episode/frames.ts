/**
 * Pictures stay where they are: an episode carries where to find them. Paths are relative to the dataset's root,
 * `/`-separated.
 */
export type FrameLocator =
  /** A span of a video file. LeRobot v3 puts many episodes into one file; `to_s` is exclusive, null = to the end. */
  | {
      readonly type: 'video';
      readonly path: string;
      readonly from_s: number;
      readonly to_s: number | null;
      /** Frames the recording says lie in the span (rows of its table); null when it does not say. */
      readonly expected_frames: number | null;
      /**
       * The file has no stamps of its own (raw H.264, HEVC), or such as say nothing of capture (DROID): its frame i is
       * sample i of the stream.
       */
      readonly unstamped?: true;
      /** What the format's own loader asks of the file; absent where the format has none that reads by time. */
      readonly asked?: AskedFrames;
    }
  /** Picture files, one a frame, in order. */
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

/** Frames that a loader asks a video for: row i wants the one at from_s + i / rate_hz. */
export interface AskedFrames {
  readonly rows: number;
  readonly rate_hz: number;
  /** A frame this far from the time asked for, or farther, is refused. */
  readonly tolerance_s: number;
  /** Where frames of another episode begin in the file; null where none follow. */
  readonly until_s: number | null;
}

/** `jpeg`, `png`, `webp`: a picture file. `h264` … `av1`: one access unit each. `raw`: pixels as described. */
export type PictureEncoding = 'jpeg' | 'png' | 'webp' | 'h264' | 'h265' | 'av1' | 'vp9' | 'raw' | 'unknown';

/** How raw pixels are laid out: `rgb8`, `bgr8`, `mono8`, `yuv422`, `16UC1`, … as in sensor_msgs/Image. */
export interface RawLayout {
  readonly encoding: string;
  readonly width: number;
  readonly height: number;
  readonly step: number;
}

/** One picture that a reader kept back from an embedded stream for measuring. `bytes` is the payload as recorded. */
export interface KeptPicture {
  readonly index: number;
  readonly time_s: number;
  readonly bytes: Uint8Array;
  readonly layout?: RawLayout;
}

export interface Frames {
  readonly locator: FrameLocator;
  /** Declared width and height in px, null when not declared. */
  readonly declared_size_px: readonly [width: number, height: number] | null;
  readonly declared_codec: string | null;
  /** Embedded streams only: a CRC-32 and a size in bytes of every payload, so that repeats are seen without decoding. */
  readonly payloads?: { readonly crc32: Uint32Array; readonly bytes: Uint32Array };
  /** Embedded streams only: a bounded sample of the pictures themselves, spread over the episode. */
  readonly kept?: readonly KeptPicture[];
}
