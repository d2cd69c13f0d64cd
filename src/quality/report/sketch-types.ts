/**
 * Reduced data of one episode for drawing: plain JSON, small, created where the episode's arrays are in
 * memory (a worker) and stored until its receipt exists. Packed columns are texts of two base64 characters
 * per code (12 bits): code 0 is "no number", 1..4095 are spread evenly from `low` to `high`.
 */
export interface EpisodeSketch {
  readonly axes: readonly TimeAxis[];
  readonly streams: readonly StreamSketch[];
  readonly cameras: readonly CameraSketch[];
  readonly events: readonly { readonly time_s: number; readonly label: string }[];
  /** Streams, dimensions or events that were omitted because a page cannot hold them. */
  readonly omitted: readonly string[];
}

/**
 * Times of a column's buckets, shared by all columns with the same timestamps. A bucket contains consecutive
 * samples; if there are no more samples than buckets, each bucket is one sample and nothing is lost.
 */
export interface TimeAxis {
  readonly samples: number;
  readonly buckets: number;
  /**
   * Samples per bucket, except the last and those cut at a gap. If 1, a column stores values instead of
   * pairs.
   */
  readonly per_bucket: number;
  readonly from_s: number;
  readonly to_s: number;
  /**
   * Minimum and maximum timestamp of each bucket (18 bits, three characters, over `from_s`..`to_s`); `null`
   * if evenly spaced, with sample i at from_s + i / (samples - 1) * (to_s - from_s). `last` is `null` if
   * `per_bucket` is 1.
   */
  readonly first: string | null;
  readonly last: string | null;
  /** Interval from the previous sample, as a column; `null` if evenly spaced. */
  readonly interval: Column | null;
}

/** One dimension over an axis. */
export interface Column {
  readonly low: number;
  readonly high: number;
  /**
   * Packed codes: one per bucket if a bucket is one sample, else minimum and maximum. `null` if all values
   * equal `low`.
   */
  readonly codes: string | null;
  /** Buckets that contain NaN or infinity, possibly among finite numbers. */
  readonly broken?: readonly number[];
  /** Outliers outside `low`..`high`, which then spans the bulk: [bucket, minimum, maximum]. */
  readonly outliers?: readonly (readonly [bucket: number, least: number, greatest: number])[];
}

/** Sketch of a numeric or timed stream. */
export interface StreamSketch {
  readonly id: string;
  /** Index into `axes`. */
  readonly axis: number;
  /** `false` if the stream has no clock and is drawn by sample number over the episode. */
  readonly timed: boolean;
  readonly names: readonly string[] | null;
  readonly dims: number;
  /** The first dimensions; all of them unless the stream is very wide. */
  readonly columns: readonly Column[];
}

/** Sketch of a camera. */
export interface CameraSketch {
  readonly id: string;
  readonly decodable: string;
  readonly reason: string | null;
  /** Summary such as `640x480 av1, 393 frames at 30 Hz`; `null` if nothing was measured. */
  readonly summary: string | null;
  readonly axis: number | null;
  /** Traces over `axis`, if frames were sampled. */
  readonly traces: readonly {
    readonly name: 'brightness' | 'change' | 'sharpness';
    readonly column: Column;
  }[];
  /**
   * Spans in which frames repeat the previous one, in seconds; an evenly spread selection if there are too
   * many.
   */
  readonly repeats: readonly (readonly [from_s: number, to_s: number])[];
  /** Total number of such spans. */
  readonly repeated: number;
  readonly thumbnails: readonly ThumbnailSketch[];
}

/** A thumbnail of a camera. */
export interface ThumbnailSketch {
  readonly time_s: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly why: string;
  /** JPEG file, base64. */
  readonly jpeg: string;
}
