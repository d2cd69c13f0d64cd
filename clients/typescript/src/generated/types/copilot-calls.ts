// Written by `npm run generate` from src/core/api. Change it there.
import type { ChatRequest, ToolEnvelope } from './copilot.ts';
import type { JsonValue } from './shared.ts';

export interface GetCopilotSuggestionsInput {
  readonly project_id?: string | undefined;
}

export interface AskProjectInput {
  readonly project_id: string;
  readonly question: string;
}

export interface RaiseSupportQueryInput {
  readonly subject: string;
  readonly message: string;
  readonly project_id?: string | undefined;
}

export interface ListSupportQueriesInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export type CopilotChatInput = {} & ChatRequest;

/** What `copilot_chat` tells. */
export type CopilotChatEvent =
  | {
      readonly id?: string | undefined;
      readonly event: 'start';
      readonly data: {
        readonly provider: 'openrouter' | 'compatible' | 'none';
        readonly model: string | null;
        readonly configured: boolean;
        readonly degraded: boolean;
        readonly reason: string | null;
        readonly autopilot: boolean;
        readonly withheld: readonly ('base64' | 'base85' | 'bytes' | 'data_uri' | 'media_path')[];
        readonly context: JsonValue;
      };
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'token';
      readonly data: {
        readonly text: string;
      };
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'tool_call';
      readonly data: {
        readonly step: number;
        readonly tool: string;
        readonly call_id: string;
        readonly arguments: JsonValue;
      };
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'tool_result';
      readonly data: {
        readonly step: number;
        readonly tool: string;
        readonly call_id: string;
        readonly result: ToolEnvelope;
      };
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'confirmation';
      readonly data: {
        readonly step: number;
        readonly tool: string;
        readonly call_id: string;
        readonly arguments: JsonValue;
        readonly argument_hash: string;
        readonly prompt: string;
      };
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'usage';
      readonly data: {
        readonly model: string;
        readonly prompt_tokens: number;
        readonly completion_tokens: number;
        readonly cost_usd: number;
        readonly counted_by: 'provider' | 'service';
        readonly priced_by: 'provider' | 'price_list' | 'fallback';
      };
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'error';
      readonly data: {
        readonly code: string;
        readonly message: string;
      };
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'done';
      readonly data: {
        readonly steps: number;
        readonly stop_reason:
          | 'complete'
          | 'cancelled'
          | 'step_limit'
          | 'budget_exceeded'
          | 'provider_error'
          | 'degraded';
        readonly thread_id: string;
      };
    };

export interface ListThreadsInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GetThreadInput {
  readonly thread_id: string;
}

export interface DeleteThreadInput {
  readonly thread_id: string;
}
