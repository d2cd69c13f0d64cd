// Written by `npm run generate` from src/core/api. Change it there.
/** Any JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** One page of a list; `next_cursor` is null on the last. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export interface ComputeEstimate {
  readonly compute_s: number;
  readonly low_s: number;
  readonly high_s: number;
  readonly basis: 'measured' | 'planned';
  readonly samples: number;
  readonly device: 'cpu' | 'gpu';
}

export interface CurationPlanInput {
  readonly seed?: number | undefined;
  readonly stages: readonly {
    readonly strategy: string;
    readonly parameters?: Readonly<Record<string, JsonValue>> | undefined;
  }[];
}

export interface CurationPlanSummary {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly plan: {
    readonly seed: number;
    readonly stages: readonly {
      readonly strategy: string;
      readonly parameters: Readonly<Record<string, JsonValue>>;
    }[];
  };
  readonly plan_hash: string;
  readonly input_hash: string;
  readonly episodes_kept: number;
  readonly episodes_dropped: number;
}

export interface EpisodeSummary {
  readonly id: string;
  readonly project_id: string;
  readonly source_id: string;
  readonly run_id: string;
  readonly receipt_id: string;
  readonly dataset_path: string;
  readonly name: string;
  readonly index: number;
  readonly format: string;
  readonly kind: Kind;
  readonly decision: 'accept' | 'review' | 'reject';
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly duration_s: number;
  readonly start_ns: string | null;
  readonly robot: string | null;
  readonly task: string | null;
  readonly outcome: 'success' | 'failure' | 'unknown';
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  readonly review_decision: 'accept' | 'review' | 'reject' | null;
  readonly reviewed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type Export = {
  readonly id: string;
  readonly project_id: string;
  readonly source_id: string | null;
  readonly dataset_path: string;
  readonly format:
    | 'lerobot-v3'
    | 'lerobot-v2.1'
    | 'webdataset'
    | 'coco-detection'
    | 'image-folder'
    | 'zarr-replay-buffer'
    | 'mcap'
    | 'certified-bundle';
  readonly rate_hz: number | null;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'sealed';
  readonly chosen: {
    readonly decisions: readonly ('accept' | 'review' | 'reject')[];
    readonly named: number | null;
    readonly slice_id: string | null;
    readonly curation_id: string | null;
    readonly without: number;
    readonly edits: Readonly<Record<string, readonly string[]>>;
    readonly annotations: boolean | null;
  };
  readonly purpose: 'training' | 'evaluation' | 'certification';
  readonly certification: {
    readonly origin: 'service' | 'local_report_import' | 'local_report';
    readonly policy_version: number;
    readonly input_hash: string;
  } | null;
  readonly episodes: {
    readonly kept: number;
    readonly dropped: number;
    readonly dropped_by: readonly {
      readonly stage: 'without' | 'curation' | 'slice' | 'episode_ids' | 'decision' | 'held_out';
      readonly episodes: number;
    }[];
    readonly written: number;
  };
  readonly files: number;
  readonly bytes: number;
  readonly seal: string | null;
  readonly estimate_usd: number;
  readonly reserved_usd: number;
  readonly measured_usd: number;
  readonly compute_s: number;
  readonly error: RunError | null;
  readonly waiting: RunError | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly sealed_by: string | null;
  readonly sealed_at: string | null;
};

export interface FailureQuery {
  readonly failures: {
    readonly import_id: string;
    readonly neighbours: number;
    readonly novel_from: number;
  };
}

export interface Finding {
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'error' | 'blocking';
  readonly path: string | null;
  readonly message: string;
  readonly advice: string;
  readonly evidence?: Readonly<Record<string, JsonValue>> | undefined;
}

export type JobLayerId =
  | 'metadata'
  | 'captions'
  | 'segments'
  | 'object_labels'
  | 'dense_text'
  | 'hand_pose'
  | 'body_pose'
  | 'tracks'
  | 'segmentation'
  | 'depth'
  | 'optical_flow'
  | 'representation_3d'
  | 'annotation_review';

export type Kind = 'teleop' | 'egocentric' | 'drive-log' | 'aerial-flight' | 'state-only' | 'vision-asset';

export type LayerId =
  | 'metadata'
  | 'captions'
  | 'segments'
  | 'object_labels'
  | 'dense_text'
  | 'hand_pose'
  | 'body_pose'
  | 'tracks'
  | 'segmentation'
  | 'depth'
  | 'optical_flow'
  | 'representation_3d';

export type ModelSurfaceId =
  | 'detection'
  | 'depth'
  | 'optical_flow'
  | 'hand_pose'
  | 'body_pose'
  | 'masks'
  | 'tracking'
  | 'captioning'
  | 'reviewing'
  | 'text_embedding';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code:
    | 'usage'
    | 'bad_request'
    | 'unauthenticated'
    | 'budget_exceeded'
    | 'forbidden'
    | 'method_not_allowed'
    | 'conflict'
    | 'idempotency_conflict'
    | 'plan_changed'
    | 'not_ready'
    | 'layer_off'
    | 'layer_inapplicable'
    | 'layer_unavailable'
    | 'already_produced'
    | 'report_project_mismatch'
    | 'policy_not_registered'
    | 'too_long_to_wait'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'range_not_satisfiable'
    | 'invalid_request'
    | 'layer_not_servable'
    | 'invalid_settings'
    | 'source_not_allowed'
    | 'hash_mismatch'
    | 'rate_limited'
    | 'output_unwritable'
    | 'not_found'
    | 'not_permitted'
    | 'not_recognised'
    | 'unreadable_input'
    | 'unsupported_version'
    | 'limit_exceeded'
    | 'verification_failed'
    | 'media_refused'
    | 'media_failed'
    | 'busy'
    | 'folder_locked'
    | 'database_unavailable'
    | 'storage_unavailable'
    | 'signing_failed'
    | 'provider_failed'
    | 'endpoint_unavailable'
    | 'endpoint_failed'
    | 'cancelled'
    | 'unfinished'
    | 'internal';
  readonly request_id: string;
  readonly advice?: string | undefined;
  readonly errors?:
    | readonly {
        readonly pointer: string;
        readonly message: string;
      }[]
    | undefined;
}

export type RankedBy = {
  readonly id: string;
  readonly version: number;
  readonly says: string;
  readonly model?: string | undefined;
  readonly note?: string | undefined;
  readonly exact: boolean;
  readonly moment: {
    readonly from_s: number;
    readonly to_s: number;
  } | null;
};

export type Role = 'viewer' | 'reviewer' | 'engineer' | 'admin';

export type Run = {
  readonly id: string;
  readonly project_id: string;
  readonly source_id: string;
  readonly type: 'assess' | 'rescore';
  readonly base_run_id: string | null;
  readonly status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled';
  readonly stage: 'look' | 'measure' | 'compare' | 'judge' | 'annotate' | 'done';
  readonly attempt: number;
  readonly settings: {
    readonly checks?:
      | Readonly<
          Record<
            string,
            {
              readonly enabled?: boolean | undefined;
              readonly threshold_offset?: number | undefined;
              readonly weight_factor?: number | undefined;
            }
          >
        >
      | undefined;
    readonly loaders?: readonly string[] | undefined;
  };
  readonly kind_override: Kind | null;
  readonly kind: Kind | null;
  readonly kinds: readonly {
    readonly kind: Kind;
    readonly episodes: number;
  }[];
  readonly plan_hash: string | null;
  readonly episodes: {
    readonly expected: number;
    readonly measured: number;
    readonly judged: number;
    readonly unreadable: number;
  };
  readonly decisions: {
    readonly accept: number;
    readonly review: number;
    readonly reject: number;
  };
  readonly usability: {
    readonly verdict: 'usable' | 'usable_after_fix' | 'not_usable';
    readonly usable_episodes: number;
    readonly reasons: readonly {
      readonly code: string;
      readonly effect:
        | 'refuses_set'
        | 'refuses_rows'
        | 'serves_wrong_rows'
        | 'stops_training'
        | 'unreadable'
        | 'rejected';
      readonly episodes: number | null;
      readonly remedy: 'fix' | 'export' | 'restore';
    }[];
  } | null;
  readonly loader: string | null;
  readonly bytes: {
    readonly expected: number;
    readonly measured: number;
    readonly fetched: number;
  };
  readonly source_revision: string | null;
  readonly layers: readonly {
    readonly layer: LayerId;
    readonly status:
      | 'waiting'
      | 'running'
      | 'succeeded'
      | 'partial'
      | 'failed'
      | 'cancelled'
      | 'skipped'
      | 'inapplicable'
      | 'unavailable';
    readonly job_id: string | null;
    readonly reason: string | null;
    readonly compute_s: number;
    readonly cost_usd: number;
  }[];
  readonly compute_s: number;
  readonly cost_usd: number;
  readonly error: RunError | null;
  readonly waiting: RunError | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
};

export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly path: string | null;
  readonly advice: string | null;
}

export interface SearchCoverage {
  readonly matched: number;
  readonly ranked: number;
  readonly not_ranked: readonly {
    readonly reason: string;
    readonly episodes: number;
  }[];
}

export interface SearchFilter {
  /** Words that must all occur in the task, in any order. */
  readonly text?: string | undefined;
  /** Exact text of the task. */
  readonly task?: readonly string[] | undefined;
  readonly outcome?: readonly ('success' | 'failure' | 'unknown')[] | undefined;
  /** Exact name of the robot. */
  readonly robot?: readonly string[] | undefined;
  /** Current name of an object class, in the recording’s labels or found by an annotation layer. */
  readonly object?: readonly string[] | undefined;
  /** Flag raised for the episode. */
  readonly flag?: readonly string[] | undefined;
  readonly decision?: readonly ('accept' | 'review' | 'reject')[] | undefined;
  readonly kind?: readonly Kind[] | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  readonly min_duration_s?: number | undefined;
  readonly max_duration_s?: number | undefined;
  /** Latest review decision; `none` for episodes without a review. */
  readonly review_decision?: readonly ('accept' | 'review' | 'reject' | 'none')[] | undefined;
  /** Tag set by users. */
  readonly tags?: readonly string[] | undefined;
  /** Annotation layers that the episode must have (all of them). */
  readonly layer?: readonly LayerId[] | undefined;
  readonly source_id?: readonly string[] | undefined;
  /** Episodes last evaluated by this run. */
  readonly run_id?: readonly string[] | undefined;
}

export interface SearchQuery {
  readonly filter: SearchFilter;
  readonly rank: SearchRank | null;
}

export type SearchRank =
  | {
      readonly by: 'text';
      readonly text: string;
      /**
       * Compare the meaning of the text, or its words. Defaults to the meaning if a text embedding model is
       * installed and the project is indexed, otherwise to the words.
       */
      readonly match?: 'meaning' | 'words' | undefined;
    }
  | {
      readonly by: 'like';
      readonly episode_id: string;
      readonly descriptor: string;
      readonly moment: {
        readonly from_s: number;
        readonly to_s: number;
      } | null;
    };

export interface Slice {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly query: SearchQuery | FailureQuery;
  readonly ranked_by: RankedBy | null;
  readonly coverage: SearchCoverage;
  readonly settings_hash: string;
  readonly response_hash: string;
  readonly episodes: number;
  readonly locked: boolean;
  readonly locked_at: string | null;
  readonly locked_by: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

export type TargetProfileId =
  | 'vla'
  | 'behaviour-cloning'
  | 'diffusion-policy'
  | 'world-model'
  | 'ssl-encoder'
  | 'detector';

export type UseCaseId =
  | 'robotic-manipulation'
  | 'autonomous-driving'
  | 'drones-aerial'
  | 'vision-datasets'
  | 'spatial-world-models'
  | 'humanoids-mobile'
  | 'data-assessment';

export type UseCaseName =
  | 'robotic-manipulation'
  | 'autonomous-driving'
  | 'drones-aerial'
  | 'vision-datasets'
  | 'spatial-world-models'
  | 'humanoids-mobile'
  | 'data-assessment'
  | 'data-certification';
