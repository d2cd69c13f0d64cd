/**
 * What the report draws of one episode: plain JSON, small, made where the episode's arrays are at hand (a worker) and
 * spooled until its receipt is judged. Packed columns are texts of two base64 characters a code (12 bits): code 0 is
 * `no number here`, 1..4095 spread evenly from `low` to `high`.
 */
export interface EpisodeSketch {
  readonly axes: readonly TimeAxis[];
  readonly streams: readonly StreamSketch[];
  readonly cameras: readonly CameraSketch[];
  readonly events: readonly { readonly time_s: number; readonly label: string }[];
  /** Streams or events beyond what a page can hold, so that nobody takes the page for the whole. */
  readonly omitted: readonly string[];
}

/**
 * The time of a column's buckets, shared by every column that has the same stamps. A bucket holds samples in the order
 * of recording; where the recording has no more samples than buckets, each bucket is one sample and nothing is lost.
 */
export interface TimeAxis {
  readonly samples: number;
  readonly buckets: number;
  /** Samples in a bucket, the last and those cut at a gap apart. 1: a column stores values, not pairs. */
  readonly per_bucket: number;
  readonly from_s: number;
  readonly to_s: number;
  /**
   * Least and greatest stamp of each bucket (18 bits, three characters, over `from_s`..`to_s`); null: evenly spread,
   * sample i at from_s + i / (samples - 1) * (to_s - from_s). `last` is null when `per_bucket` is 1.
   */
  readonly first: string | null;
  readonly last: string | null;
  /** Distance of each sample from the one before, as a column; null when even. */
  readonly interval: Column | null;
}

/** One dimension over an axis. */
export interface Column {
  readonly low: number;
  readonly high: number;
  /** Packed: one code a bucket when it holds one sample, else least then greatest. null: `low` throughout. */
  readonly codes: string | null;
  /** Buckets that hold NaN or infinity, possibly beside numbers. */
  readonly broken?: readonly number[];
  /** Values outside `low`..`high`, which span the bulk when single values lie far away: [bucket, least, greatest]. */
  readonly outliers?: readonly (readonly [bucket: number, least: number, greatest: number])[];
}

export interface StreamSketch {
  readonly id: string;
  /** Index into `axes`. */
  readonly axis: number;
  /** False: the stream has no clock and is drawn by sample number over the episode. */
  readonly timed: boolean;
  readonly names: readonly string[] | null;
  readonly dims: number;
  /** The first dimensions; all of them unless the stream is very wide. */
  readonly columns: readonly Column[];
}

export interface CameraSketch {
  readonly id: string;
  readonly decodable: string;
  readonly reason: string | null;
  /** `640x480 av1, 393 frames at 30 Hz`; null when nothing was measured. */
  readonly summary: string | null;
  readonly axis: number | null;
  /** Over `axis`, where frames were sampled. */
  readonly traces: readonly {
    readonly name: 'brightness' | 'change' | 'sharpness';
    readonly column: Column;
  }[];
  /** Where frames repeat the one before, seconds; spread over all such places where there are too many. */
  readonly repeats: readonly (readonly [from_s: number, to_s: number])[];
  /** How many such places there are. */
  readonly repeated: number;
  readonly thumbnails: readonly ThumbnailSketch[];
}

export interface ThumbnailSketch {
  readonly time_s: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly why: string;
  /** Base64. */
  readonly jpeg: string;
}
