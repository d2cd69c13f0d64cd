// Written by `npm run generate` from src/core/api. Change it there.
import type { JsonValue } from './shared.ts';

export type ChatRequest = {
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: string;
  }[];
  readonly project_id?: string | undefined;
  readonly context?:
    | {
        readonly kind: 'episode';
        readonly id: string;
      }
    | {
        readonly kind: 'run';
        readonly id: string;
      }
    | {
        readonly kind: 'slice';
        readonly id: string;
      }
    | undefined;
  readonly autopilot?: boolean | undefined;
  readonly thread_id?: string | undefined;
  readonly model?: string | undefined;
  readonly approvals?:
    | readonly {
        readonly tool: string;
        readonly argument_hash: string;
      }[]
    | undefined;
};

export type CopilotModels = {
  readonly active: {
    readonly provider: 'openrouter' | 'compatible' | 'none';
    readonly model: string;
  } | null;
  readonly key_configured: boolean;
  readonly degraded: boolean;
  readonly reason: string | null;
  readonly items: readonly {
    readonly provider: 'openrouter' | 'compatible' | 'none';
    readonly model: string;
    readonly available: boolean;
    readonly active: boolean;
    readonly prices: {
      readonly prompt_usd_per_mtok: number;
      readonly completion_usd_per_mtok: number;
    } | null;
    readonly charged_prices: {
      readonly prompt_usd_per_mtok: number;
      readonly completion_usd_per_mtok: number;
    };
    readonly priced_by: 'price_list' | 'fallback';
  }[];
};

export interface CopilotSuggestions {
  readonly project_id: string | null;
  readonly suggestions: readonly {
    readonly id: string;
    readonly prompt: string;
    readonly because: string;
  }[];
  readonly faqs: readonly {
    readonly question: string;
    readonly answer: string;
  }[];
}

export type CopilotThread = {
  readonly id: string;
  readonly project_id: string | null;
  readonly title: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: string;
    readonly at: string;
    readonly turn: {
      readonly provider: 'openrouter' | 'compatible' | 'none';
      readonly model: string | null;
      readonly steps: number;
      readonly stop_reason:
        | 'complete'
        | 'cancelled'
        | 'step_limit'
        | 'budget_exceeded'
        | 'provider_error'
        | 'degraded';
      readonly tools: readonly {
        readonly tool: string;
        readonly status: string;
        readonly argument_hash: string | null;
      }[];
    } | null;
  }[];
  readonly created_at: string;
  readonly updated_at: string;
};

export interface CopilotThreadSummary {
  readonly id: string;
  readonly project_id: string | null;
  readonly title: string;
  readonly messages: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ProjectAnswer {
  readonly project_id: string;
  readonly question: string;
  readonly shape: string | null;
  readonly sentences: readonly {
    readonly text: string;
    readonly evidence: Readonly<Record<string, string | number | null>>;
  }[];
  readonly questions: readonly {
    readonly id: string;
    readonly example: string;
  }[];
}

export interface SupportQuery {
  readonly id: string;
  readonly project_id: string | null;
  readonly subject: string;
  readonly message: string;
  readonly status: 'open';
  readonly created_at: string;
  readonly created_by: string;
}

export type ToolEnvelope =
  | {
      readonly status: 'ok';
      readonly result: JsonValue;
    }
  | {
      readonly status: 'error';
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly advice: string | null;
        readonly details: Readonly<Record<string, JsonValue>>;
      };
    }
  | {
      readonly status: 'needs_confirmation';
      readonly argument_hash: string;
      readonly prompt: string;
      readonly facts: Readonly<Record<string, JsonValue>>;
    };
