/**
 * How many frames are decoded. `none`: none; only container metadata is read. `sampled`: a sample of frames, and all frames
 * around a suspected fault. `all`: every frame.
 */
export const pictureScopes = ['none', 'sampled', 'all'] as const;
export type PictureScope = (typeof pictureScopes)[number];

/** Reason given for a camera that was not decoded because of `--pictures none`. */
export const picturesSkippedReason = 'images were not decoded (--pictures none)';

/**
 * Measurements of one camera in one episode, made by the media process. Apart from thumbnails no pixels leave that process.
 * Luma is 0 to 255, taken from the decoder's Y plane without colour conversion.
 */
export interface CameraEvidence {
  /** `yes`: every requested frame decoded. `partial`: some did. `no`: none did. `missing`: the file is absent. */
  readonly decodable: 'yes' | 'partial' | 'no' | 'missing' | 'not_measured';
  /** Reason with the decoder's message, or `null` if `decodable` is `yes`. */
  readonly reason: string | null;
  readonly container: ContainerFacts | null;
  readonly sampled: SampledFrames;
  /** Frames equal to the frame before them, over all compared pairs. */
  readonly repeats: RepeatFacts;
  readonly thumbnails: readonly Thumbnail[];
  /** Every frame of the span of a coded video, decoded or not; `null` for other pictures. */
  readonly coded: CodedFrames | null;
}

/** One entry per frame, in presentation order. */
export interface CodedFrames {
  /** Size of the frame's packet; for a predicted frame a measure of how much changed. */
  readonly bytes: Int32Array;
  /** 1 for key frames, else 0. */
  readonly key: Uint8Array;
}

export interface ContainerFacts {
  readonly codec: string;
  readonly width_px: number;
  readonly height_px: number;
  readonly pixel_format: string;
  /** Frames (packets) inside the episode's span, by demuxing, not by what the header says. */
  readonly frame_count: number;
  /** Frame count that the container's header declares for the whole file; `null` if it declares none. */
  readonly declared_frame_count: number | null;
  /** Computed from the presentation stamps in the span. */
  readonly rate_hz: number | null;
  /** In the time of the file, not of the episode. */
  readonly first_pts_s: number | null;
  readonly last_pts_s: number | null;
  /** Largest |Δpts − usual Δpts| / usual Δpts, beyond what rounding to the container's ticks makes. */
  readonly pts_jitter_ratio: number | null;
  readonly rotation_deg: number;
  /** Container finished and consistent (index present, no demuxer error). */
  readonly complete: boolean;
  /** Frames that the format's loader would return for each row; absent if its loader does not read by time. */
  readonly served?: ServedRows;
}

/** How the rows of one episode match the frames that the format's loader would return for them, judged by stamps alone. */
export interface ServedRows {
  readonly rows: number;
  /** Rows without a frame nearby: the file ends before them or has a gap there. */
  readonly absent: number;
  readonly first_absent: number | null;
  /** Rows whose nearest frame is farther from the requested time than the loader tolerates. */
  readonly off: number;
  readonly first_off: number | null;
  /** Largest distance from the requested time among the rows of `off`; `first_off_s` is that of the first. */
  readonly worst_off_s: number;
  readonly first_off_s: number;
  /** Distance of the frame taken for the first row, tolerated or not; `null` if there is none. */
  readonly start_off_s: number | null;
  /** Rows that silently get frames of another episode. */
  readonly foreign: number;
  readonly first_foreign: number | null;
  /** Frames of the whole file. */
  readonly file_frames: number;
  /** Stamp of the file's last frame. */
  readonly file_last_s: number | null;
}

/** Decoded frames as columns, one entry per frame, ascending by index. The index counts frames from the start of the episode. */
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
  /** Mean absolute luma difference from the previous frame; NaN if that was not decoded. */
  readonly difference: Float32Array;
  /** Largest change of a block's mean luma from the previous frame, over 16 x 16 blocks; NaN if that frame was not decoded. */
  readonly motion: Float32Array;
  /** 64-bit difference hash (9x8 luma grid), high and low word: near-duplicates within a few bits. */
  readonly hash_high: Uint32Array;
  readonly hash_low: Uint32Array;
  /** Mean luma of `gridSide` x `gridSide` blocks, row by row, one grid after the other: a coarse thumbnail of each frame. */
  readonly grid: Uint8Array;
}

/** Blocks along either side of the grid of a frame. */
export const gridSide = 8;

export interface RepeatFacts {
  readonly pairs_compared: number;
  readonly pairs_equal: number;
  /**
   * Runs of frames that show one picture, longest first, at most 200; `frames` counts the repeats, without the first.
   * Pictures coded one by one are equal; in video they are the same however often the encoder codes them anew, and last
   * at least 0.4 s.
   */
  readonly runs: readonly {
    readonly from_s: number;
    readonly to_s: number;
    readonly frames: number;
    /** Number of frames that equal the previous one: their luma differs by at most 0.002 levels on average. */
    readonly equal: number;
    /** Largest change of a block's mean luma in the 3 pairs before the run, in levels; `null` if nothing was decoded there. */
    readonly motion_before: number | null;
    /**
     * Change of a block's mean luma at the end of the run, in levels; in video only the part that exceeds the motion
     * after it. `null` if the run lasts to the last 3 decoded frames.
     */
    readonly leap: number | null;
  }[];
  /** Spans in which frames repeat the previous one, in order of time: all of them, or an even sample of them. */
  readonly places: readonly (readonly [from_s: number, to_s: number])[];
  /** Number of such spans, including those left out of `places`. */
  readonly place_count: number;
  /**
   * `every_frame`: all frames were decoded and compared. `packets`: all pairs were considered, and those decoded whose
   * packets are small enough to hold no change. `sampled`: bursts of frames. `payload`: payload bytes were compared.
   */
  readonly method: 'every_frame' | 'packets' | 'sampled' | 'payload' | 'none';
  /**
   * Decoded pairs that move, or that have motion shortly before and after: how many there are, and how many are equal
   * within coding noise.
   * `every`: the distance between new pictures in frames (1 for a sound camera), `one_in`: the distance between repeats,
   * each if most are equal; those of an encoder's own rhythm do not count. `discarded`: pairs that look equal only because of changes so small that the encoder may have discarded
   * them. `null` if every picture is coded by itself, so that equal pictures are certain repeats.
   */
  readonly in_motion: {
    readonly pairs: number;
    readonly equal: number;
    readonly every: number | null;
    readonly one_in: number | null;
    readonly discarded: number;
  } | null;
}

export interface Thumbnail {
  readonly time_s: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly jpeg: Uint8Array;
  /** Reason for choosing this frame: `overview`, `dark`, `repeated`, `blurred`, … */
  readonly why: string;
}
