import type { JsonObject } from '#core';
import type { ChatEvent, ChatRequest, StopReason, ToolEnvelope } from '#core/api';
import type { Approvals, Call } from '#service/operations';
import type { CopilotProvider, Store } from '#store';
import type { ProjectState } from '../context/project-state.ts';

/** Who answers a turn, by which model. */
export interface Answerer {
  readonly provider: CopilotProvider;
  readonly model: string;
}

/** A turn before it begins: asked for, looked up, allowed. */
export interface Turn {
  readonly store: Store;
  readonly call: Call;
  readonly request: ChatRequest;
  readonly thread_id: string;
  readonly project_id: string | null;
  /** The message that is answered. */
  readonly question: string;
  readonly message_hash: string;
  readonly approvals: Approvals;
  /** Null: nobody answers, and the answer is made from the project's state. */
  readonly answerer: Answerer | null;
  readonly reason: string | null;
  readonly state: ProjectState | null;
  readonly context: JsonObject;
}

/** What a turn has done so far. */
export interface TurnLog {
  /** Rounds of tools. */
  steps: number;
  /** All text of the assistant. */
  text: string;
  readonly tools: { tool: string; status: ToolEnvelope['status']; argument_hash: string | null }[];
  readonly confirmations: { tool: string; argument_hash: string }[];
  readonly usage: { model_calls: number; prompt_tokens: number; completion_tokens: number; cost_usd: number };
}

export const newLog = (): TurnLog => ({
  ...{ steps: 0, text: '', tools: [], confirmations: [] },
  usage: { model_calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_usd: 0 },
});

/** Events of a part of a turn, and why the turn ends, where it does. */
export type Playing<Ends = StopReason> = AsyncGenerator<ChatEvent, Ends>;

/** Words of the assistant, kept for the thread. */
export function say(log: TurnLog, text: string): ChatEvent {
  log.text += text;
  return { event: 'token', data: { text } };
}
