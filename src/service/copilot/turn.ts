import type { JsonObject } from '#core';
import type { ChatEvent, ChatRequest, StopReason, ToolEnvelope } from '#core/api';
import type { Approvals, Call } from '#service/operations';
import type { CopilotProvider, Store } from '#store';
import type { ProjectState } from './project-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** Provider and model that answer a turn. */
export interface Answerer {
  readonly provider: CopilotProvider;
  readonly model: string;
}

/** A prepared turn. */
export interface Turn {
  readonly store: Store;
  readonly call: Call;
  readonly request: ChatRequest;
  readonly thread_id: string;
  readonly project_id: string | null;
  /** The message to answer. */
  readonly question: string;
  readonly message_hash: string;
  readonly approvals: Approvals;
  /** Null if no provider is configured; the answer is then made from the project's state. */
  readonly answerer: Answerer | null;
  readonly reason: string | null;
  readonly state: ProjectState | null;
  /** Object on the user's screen; `null` if the request names none. */
  readonly screen: ScreenContext | null;
  readonly context: JsonObject;
}

/** Progress of a turn. */
export interface TurnLog {
  /** Finished rounds of tools. */
  steps: number;
  /** Text of the assistant so far. */
  text: string;
  readonly tools: { tool: string; status: ToolEnvelope['status']; argument_hash: string | null }[];
  readonly confirmations: { tool: string; argument_hash: string }[];
  readonly usage: { model_calls: number; prompt_tokens: number; completion_tokens: number; cost_usd: number };
}

/** Returns an empty log of a turn. */
export const newLog = (): TurnLog => ({
  ...{ steps: 0, text: '', tools: [], confirmations: [] },
  usage: { model_calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_usd: 0 },
});

/** Stream of chat events; returns the stop reason or the result of a step. */
export type ChatStream<Ends = StopReason> = AsyncGenerator<ChatEvent, Ends>;

/** Appends text of the assistant to the log and returns its event. */
export function appendText(log: TurnLog, text: string): ChatEvent {
  log.text += text;
  return { event: 'token', data: { text } };
}
