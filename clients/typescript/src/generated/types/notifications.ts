// Written by `npm run generate` from src/core/api. Change it there.
export interface CreatedWebhook {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly events: readonly NotificationEventType[] | null;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly url: string;
  readonly disabled_reason: 'gone' | null;
  readonly previous_secret_until: string | null;
  /** Secret that deliveries are signed with: `whsec_` and 32 bytes in base64. Shown only once. */
  readonly secret: string;
}

export interface EmailSubscription {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly events: readonly NotificationEventType[] | null;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly email: string;
}

export interface NotificationDelivery {
  readonly id: string;
  readonly event: NotificationEvent;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly response_status: number | null;
  readonly duration_ms: number | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly redelivery_of: string | null;
}

export type NotificationEvent =
  | {
      readonly schema: 'assay/event/v1';
      readonly id: string;
      readonly created_at: string;
      readonly tenant_id: string;
      readonly message: string;
      readonly links: {
        readonly web: string;
        readonly api: string;
      };
      readonly project_id: string;
      readonly type: 'run.finished';
      readonly data: {
        readonly run_id: string;
        readonly source_id: string;
        readonly run_type: 'assess' | 'rescore';
        readonly status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled';
        readonly episodes: number;
        readonly decisions: {
          readonly accept: number;
          readonly review: number;
          readonly reject: number;
        };
        readonly error_code: string | null;
      };
    }
  | {
      readonly schema: 'assay/event/v1';
      readonly id: string;
      readonly created_at: string;
      readonly tenant_id: string;
      readonly message: string;
      readonly links: {
        readonly web: string;
        readonly api: string;
      };
      readonly project_id: string;
      readonly type: 'set.not_usable';
      readonly data: {
        readonly run_id: string;
        readonly source_id: string;
        readonly reasons: readonly string[];
      };
    }
  | {
      readonly schema: 'assay/event/v1';
      readonly id: string;
      readonly created_at: string;
      readonly tenant_id: string;
      readonly message: string;
      readonly links: {
        readonly web: string;
        readonly api: string;
      };
      readonly project_id: string;
      readonly type: 'review_queue.filled';
      readonly data: {
        readonly run_id: string;
        readonly episodes: number;
      };
    }
  | {
      readonly schema: 'assay/event/v1';
      readonly id: string;
      readonly created_at: string;
      readonly tenant_id: string;
      readonly message: string;
      readonly links: {
        readonly web: string;
        readonly api: string;
      };
      readonly project_id: string;
      readonly type: 'job.failed';
      readonly data: {
        readonly job_id: string;
        readonly run_id: string | null;
        readonly layer: string;
        readonly episodes: {
          readonly total: number;
          readonly done: number;
          readonly failed: number;
        };
        readonly error_code: string | null;
      };
    }
  | {
      readonly schema: 'assay/event/v1';
      readonly id: string;
      readonly created_at: string;
      readonly tenant_id: string;
      readonly message: string;
      readonly links: {
        readonly web: string;
        readonly api: string;
      };
      readonly project_id: null;
      readonly type: 'budget.threshold_reached';
      readonly data: {
        readonly threshold: number;
        readonly cap_usd: number;
        readonly spent_usd: number;
        readonly reserved_usd: number;
      };
    }
  | {
      readonly schema: 'assay/event/v1';
      readonly id: string;
      readonly created_at: string;
      readonly tenant_id: string;
      readonly message: string;
      readonly links: {
        readonly web: string;
        readonly api: string;
      };
      readonly project_id: string | null;
      readonly type: 'test';
      readonly data: {};
    };

export type NotificationEventType =
  | 'run.finished'
  | 'set.not_usable'
  | 'review_queue.filled'
  | 'job.failed'
  | 'budget.threshold_reached';

export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly events: readonly NotificationEventType[] | null;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly url: string;
  readonly disabled_reason: 'gone' | null;
  readonly previous_secret_until: string | null;
}
