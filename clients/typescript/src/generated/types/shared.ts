// Written by `npm run generate` from src/contract. Change it there.
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
  readonly review_decision: 'accept' | 'review' | 'reject' | null;
  readonly reviewed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Finding {
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'error' | 'blocking';
  readonly path: string | null;
  readonly message: string;
  readonly advice: string;
  readonly evidence?: Readonly<Record<string, JsonValue>> | undefined;
}

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
    | 'media_failed'
    | 'busy'
    | 'folder_locked'
    | 'database_unavailable'
    | 'storage_unavailable'
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

export type Role = 'viewer' | 'reviewer' | 'engineer' | 'admin';

export interface Run {
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
  readonly bytes: {
    readonly expected: number;
    readonly measured: number;
  };
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
}

export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly path: string | null;
  readonly advice: string | null;
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
