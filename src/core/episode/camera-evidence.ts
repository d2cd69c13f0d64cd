/**
 * How many of the pictures are looked at. `none`: what containers say without decoding. `sampled`: as few as show
 * what is wrong, all where something is. `all`: every frame.
 */
export const pictureScopes = ['none', 'sampled', 'all'] as const;
export type PictureScope = (typeof pictureScopes)[number];

/** Why a camera was not decoded that nobody asked to be. */
export const picturesLeftOut = 'pictures were left out (--pictures none)';

/**
 * What the media process measured of one camera in one episode. Numbers only: pixels do not leave that process,
 * thumbnails apart. Luma is 0..255, taken from the decoder's Y plane without colour conversion.
 */
export interface CameraEvidence {
  /** `yes`: every frame asked for decoded. `partial`: some. `no`: none. `missing`: the file is absent. */
  readonly decodable: 'yes' | 'partial' | 'no' | 'missing' | 'not_measured';
  /** Why, unless `yes`; the decoder's own words included. */
  readonly reason: string | null;
  readonly container: ContainerFacts | null;
  readonly sampled: SampledFrames;
  /** Frames found equal to the frame before them, over every pair that was compared. */
  readonly repeats: RepeatFacts;
  readonly thumbnails: readonly Thumbnail[];
  /** Of coded video, every frame of the span as it lies in the file, decoded or not; null for other pictures. */
  readonly coded: CodedFrames | null;
}

/** One entry a shown frame, in that order. */
export interface CodedFrames {
  /** Bytes of its packet: of a frame predicted from others, how much of it changed. */
  readonly bytes: Int32Array;
  /** 1 where decoding can start. */
  readonly key: Uint8Array;
}

export interface ContainerFacts {
  readonly codec: string;
  readonly width_px: number;
  readonly height_px: number;
  readonly pixel_format: string;
  /** Frames (packets) inside the episode's span, by demuxing, not by what the header says. */
  readonly frame_count: number;
  /** What the container's header declares for the whole file; null when it does not. */
  readonly declared_frame_count: number | null;
  /** From the presentation stamps in the span. */
  readonly rate_hz: number | null;
  /** In the file's own time, not the episode's. */
  readonly first_pts_s: number | null;
  readonly last_pts_s: number | null;
  /** Largest |Δpts − usual Δpts| / usual Δpts, beyond what rounding to the container's ticks makes. */
  readonly pts_jitter_ratio: number | null;
  readonly rotation_deg: number;
  /** Container finished and consistent (index present, no demuxer error). */
  readonly complete: boolean;
  /** What the format's own loader would find for each row; absent where nobody asks by time. */
  readonly served?: ServedRows;
}

/** Rows of one episode and the frames that its format's loader would give them, by stamps alone. */
export interface ServedRows {
  readonly rows: number;
  /** Rows for which the file has no frame near: it ends before them, or has a hole there. */
  readonly absent: number;
  readonly first_absent: number | null;
  /** Rows whose frame is there and refused: it lies farther from the time asked for than the loader tolerates. */
  readonly off: number;
  readonly first_off: number | null;
  /** Largest distance of a frame taken for such a row from the time asked for, and the distance in its first. */
  readonly worst_off_s: number;
  readonly first_off_s: number;
  /** Distance of the frame taken for the first row, tolerated or not; null where there is none. */
  readonly start_off_s: number | null;
  /** Rows that are given frames of another episode without a word. */
  readonly foreign: number;
  readonly first_foreign: number | null;
  /** Of the whole file. */
  readonly file_frames: number;
  /** Stamp of the file's last frame. */
  readonly file_last_s: number | null;
}

/** Columnar, one entry a decoded frame, ascending by index. Index counts frames from the episode's start. */
export interface SampledFrames {
  readonly index: Int32Array;
  /** Seconds since the episode's start. */
  readonly time_s: Float64Array;
  readonly luma_mean: Float32Array;
  readonly luma_std: Float32Array;
  /** Share of pixels with luma <= 20 (video black is 16), and >= 235. */
  readonly dark_ratio: Float32Array;
  readonly bright_ratio: Float32Array;
  /** Variance of the Laplacian of luma on the frame reduced to at most 320 px wide: low means blurred or flat. */
  readonly sharpness: Float32Array;
  /** Mean |Δluma| against the frame before; NaN where that one was not decoded. */
  readonly difference: Float32Array;
  /** Largest change of the mean of one of 16 x 16 blocks against the frame before; NaN where that was not decoded. */
  readonly motion: Float32Array;
  /** 64-bit difference hash (9x8 luma grid), high and low word: near-duplicates within a few bits. */
  readonly hash_high: Uint32Array;
  readonly hash_low: Uint32Array;
  /** Mean luma of `gridSide` x `gridSide` blocks, row by row, one grid after the other: a coarse look at each frame. */
  readonly grid: Uint8Array;
}

/** Blocks along either side of the grid of a frame. */
export const gridSide = 8;

export interface RepeatFacts {
  readonly pairs_compared: number;
  readonly pairs_equal: number;
  /** Runs of equal frames, longest first, at most 16. `frames` counts the repeats, without the first. */
  readonly runs: readonly {
    readonly from_s: number;
    readonly to_s: number;
    readonly frames: number;
    /** By how much the frames after the run change the mean of a block, in levels; null where it lasts to the end. */
    readonly leap: number | null;
  }[];
  /** Where frames repeat the one before, in order of time: all, or as many as `placesKept` spread over them. */
  readonly places: readonly (readonly [from_s: number, to_s: number])[];
  /** How many such places there are. */
  readonly place_count: number;
  /**
   * `every_frame`: all decoded and compared. `packets`: all pairs, of which those were decoded and compared whose
   * packets are small enough to hold no change. `sampled`: bursts. `payload`: equal payload bytes.
   */
  readonly method: 'every_frame' | 'packets' | 'sampled' | 'payload' | 'none';
  /**
   * Of the decoded pairs with motion shortly before and after, how many repeat the frame before as far as coding lets
   * it be seen, and the distance of new pictures in frames where it is nearly always the same. Null where every picture
   * is coded by itself: equal ones are repeats then.
   */
  readonly in_motion: {
    readonly pairs: number;
    readonly equal: number;
    readonly every: number | null;
  } | null;
}

export interface Thumbnail {
  readonly time_s: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly jpeg: Uint8Array;
  /** Why this frame: `overview`, `dark`, `repeated`, `blurred`, … */
  readonly why: string;
}
