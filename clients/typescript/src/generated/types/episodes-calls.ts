// Written by `npm run generate` from src/core/api. Change it there.
import type { CompareEpisodes, Component, Flag } from './episodes.ts';
import type { Finding, JsonValue, Kind } from './shared.ts';

export interface ListEpisodesInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort?:
    | 'score'
    | '-score'
    | 'duration_s'
    | '-duration_s'
    | 'created'
    | '-created'
    | 'name'
    | undefined;
  readonly decision?: readonly ('accept' | 'review' | 'reject')[] | undefined;
  /** Latest review decision; `none` for episodes without a review. */
  readonly review_decision?: readonly ('accept' | 'review' | 'reject' | 'none')[] | undefined;
  readonly kind?: readonly Kind[] | undefined;
  /** Episodes with at least one of these flags. */
  readonly flag?: readonly string[] | undefined;
  /** Tag set by users. */
  readonly tags?: readonly string[] | undefined;
  readonly outcome?: readonly ('success' | 'failure' | 'unknown')[] | undefined;
  readonly source_id?: readonly string[] | undefined;
  /** Episodes last evaluated by this run. */
  readonly run_id?: readonly string[] | undefined;
  /** Exact text; repeat the parameter for several values. */
  readonly task?: readonly string[] | undefined;
  /** Exact text; repeat the parameter for several values. */
  readonly robot?: readonly string[] | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  readonly min_duration_s?: number | undefined;
  readonly max_duration_s?: number | undefined;
}

export interface GetEpisodeInput {
  readonly episode_id: string;
}

export interface UpdateEpisodeInput {
  readonly episode_id: string;
  readonly tags: readonly string[];
}

export interface GetReceiptInput {
  readonly episode_id: string;
  readonly run_id?: string | undefined;
}

/** What `get_receipt` answers. */
export type Receipt = {
  readonly schema: 'assay/receipt/v1';
  readonly engine: {
    readonly name: 'assay';
    readonly version: string;
  };
  readonly canonicalisation: 'RFC8785';
  readonly episode: {
    readonly id: string;
    readonly index: number;
    readonly locator: {
      readonly format: string;
      readonly path: string;
      readonly span?:
        | {
            readonly unit: 'row' | 's' | 'record';
            readonly from: number;
            readonly to: number;
          }
        | undefined;
    };
    readonly cut?:
      | {
          readonly recording: string;
          readonly part: number;
          readonly from_s: number;
          readonly to_s: number;
          readonly begins: string;
          readonly ends: string;
          readonly recipe: Readonly<Record<string, JsonValue>> | null;
          readonly recipe_hash: string | null;
        }
      | undefined;
    readonly declared_rate?:
      | {
          readonly hz: number;
          readonly source: string;
          readonly used: boolean;
        }
      | undefined;
    readonly split?: string | undefined;
    readonly start_ns: string | null;
    readonly duration_s: number;
    readonly robot: string | null;
    readonly tasks: readonly string[] | null;
    readonly outcome: {
      readonly value: 'success' | 'failure' | 'unknown';
      readonly evidence: 'declared' | 'known_format' | 'measured' | 'unknown';
      readonly reason: string;
    };
  };
  readonly kind: {
    readonly kind: Kind;
    readonly evidence: readonly string[];
  };
  readonly sources: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly sha256: string | null;
    readonly role: string;
  }[];
  readonly streams: readonly {
    readonly id: string;
    readonly role: string;
    readonly modality: string;
    readonly shape: readonly number[];
    readonly unit: {
      readonly unit: string;
      readonly evidence: 'declared' | 'known_format' | 'measured' | 'unknown';
      readonly reason: string;
    };
    readonly sample_count: number;
    readonly declared_rate_hz: number | null;
    readonly measured_rate_hz: number | null;
    readonly clock: {
      readonly name: string;
      readonly provenance: string;
      readonly reason: string;
      readonly others: readonly string[];
    } | null;
    readonly event_driven?: string | undefined;
  }[];
  readonly facts?:
    | {
        readonly timeline?:
          | {
              readonly clocks: number;
              readonly recorded: number;
              readonly samples: number;
              readonly reversals: number;
              readonly non_finite: number;
              readonly jitter: number | null;
              readonly jitter_stream: string | null;
              readonly lost_share: number | null;
              readonly lost_stream: string | null;
              readonly dropped_share: number | null;
              readonly rows: {
                readonly moving: number;
                readonly leaping: number;
              } | null;
            }
          | undefined;
        readonly same_rows?: boolean | undefined;
        readonly content_lag?:
          | {
              readonly camera: string;
              readonly against: string;
              readonly cameras: number;
              readonly lag_ms: number;
              readonly step_ms: number;
              readonly peak: number;
              readonly second_ratio: number;
              readonly width_ms: number;
              readonly excitation: number;
              readonly samples: number;
              readonly sure: boolean;
              readonly reason: string | null;
              readonly control_delay_ms: number | null;
            }
          | undefined;
      }
    | undefined;
  readonly grippers: readonly {
    readonly stream: string;
    readonly dimension: number;
    readonly name: string | null;
    readonly unit: string;
    readonly range_observed: readonly [number, number];
    readonly open_value: number | null;
    readonly evidence: 'declared' | 'known_format' | 'measured' | 'unknown';
    readonly reason: string;
  }[];
  readonly checks: readonly Component[];
  readonly flags: readonly Flag[];
  readonly findings: readonly Finding[];
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly decision: 'accept' | 'review' | 'reject';
  readonly decision_reason: string;
  readonly loaders?: readonly string[] | undefined;
  readonly settings_hash: string;
  readonly pictures?: 'none' | 'all' | undefined;
  readonly limits: readonly string[];
  readonly content_hash: string;
};

export interface ListStreamsInput {
  readonly episode_id: string;
}

export interface GetStreamInput {
  readonly episode_id: string;
  readonly stream_id: string;
  /** Maximum number of columns. */
  readonly width_px?: number | undefined;
  /** Seconds since the start of the episode; row number for streams without timestamps. */
  readonly from_s?: number | undefined;
  /** Seconds since the start of the episode; row number for streams without timestamps. */
  readonly to_s?: number | undefined;
  /** Zero-based indices of dimensions. Defaults to the first 64. */
  readonly dimension?: readonly number[] | undefined;
}

export interface GetFrameInput {
  readonly episode_id: string;
  readonly stream_id: string;
  /** Seconds since the start of the episode. Returns the last frame at or before this time. */
  readonly at_s?: number | undefined;
  /** Maximum width in pixels. Frames are never enlarged. */
  readonly width_px?: number | undefined;
}

export interface GetPlaybackInput {
  readonly episode_id: string;
  /** Maximum number of columns per signal. */
  readonly width_px?: number | undefined;
}

export interface GetPosesInput {
  readonly episode_id: string;
  /** Maximum number of points per pose. Longer paths are simplified so that their turns remain. */
  readonly points?: number | undefined;
}

export interface GetVideoInput {
  readonly episode_id: string;
  readonly stream_id: string;
  /**
   * `recorded`: H.264, AV1 and VP9 video is copied without re-encoding. `h264`: only H.264 is copied,
   * for browsers that cannot play AV1 or VP9.
   */
  readonly codec?: 'recorded' | 'h264' | undefined;
  /** Start of the video, in seconds since the start of the episode. */
  readonly from_s?: number | undefined;
  /**
   * End of the video (exclusive), in seconds since the start of the episode. Defaults to the end of the
   * episode.
   */
  readonly until_s?: number | undefined;
  /** Maximum width and height in pixels if the video is re-encoded. Frames are never enlarged. */
  readonly width_px?: number | undefined;
}

export interface ListReviewsInput {
  readonly episode_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface CreateReviewInput {
  readonly episode_id: string;
  readonly decision: 'accept' | 'review' | 'reject';
  readonly note?: string | undefined;
  readonly receipt_id?: string | undefined;
}

export interface WithdrawReviewInput {
  readonly episode_id: string;
  readonly review_id: string;
}

export interface ListProjectFindingsInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly severity?: readonly ('blocking' | 'error' | 'warning' | 'info')[] | undefined;
  readonly code?: readonly string[] | undefined;
  readonly source_id?: readonly string[] | undefined;
}

export interface SummariseProjectInput {
  readonly project_id: string;
  readonly decision?: readonly ('accept' | 'review' | 'reject')[] | undefined;
  /** Latest review decision; `none` for episodes without a review. */
  readonly review_decision?: readonly ('accept' | 'review' | 'reject' | 'none')[] | undefined;
  readonly kind?: readonly Kind[] | undefined;
  /** Episodes with at least one of these flags. */
  readonly flag?: readonly string[] | undefined;
  /** Tag set by users. */
  readonly tags?: readonly string[] | undefined;
  readonly outcome?: readonly ('success' | 'failure' | 'unknown')[] | undefined;
  readonly source_id?: readonly string[] | undefined;
  /** Episodes last evaluated by this run. */
  readonly run_id?: readonly string[] | undefined;
  /** Exact text; repeat the parameter for several values. */
  readonly task?: readonly string[] | undefined;
  /** Exact text; repeat the parameter for several values. */
  readonly robot?: readonly string[] | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  readonly min_duration_s?: number | undefined;
  readonly max_duration_s?: number | undefined;
}

export interface MapEpisodesInput {
  readonly project_id: string;
  readonly decision?: readonly ('accept' | 'review' | 'reject')[] | undefined;
  /** Latest review decision; `none` for episodes without a review. */
  readonly review_decision?: readonly ('accept' | 'review' | 'reject' | 'none')[] | undefined;
  readonly kind?: readonly Kind[] | undefined;
  /** Episodes with at least one of these flags. */
  readonly flag?: readonly string[] | undefined;
  /** Tag set by users. */
  readonly tags?: readonly string[] | undefined;
  readonly outcome?: readonly ('success' | 'failure' | 'unknown')[] | undefined;
  readonly source_id?: readonly string[] | undefined;
  /** Episodes last evaluated by this run. */
  readonly run_id?: readonly string[] | undefined;
  /** Exact text; repeat the parameter for several values. */
  readonly task?: readonly string[] | undefined;
  /** Exact text; repeat the parameter for several values. */
  readonly robot?: readonly string[] | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  readonly min_duration_s?: number | undefined;
  readonly max_duration_s?: number | undefined;
  /** Descriptor whose vectors are projected: `motion` or `picture`. */
  readonly descriptor?: string | undefined;
}

export type CompareEpisodesInput = {
  readonly project_id: string;
} & CompareEpisodes;
