import type { ChatEvent, ChatRequest } from '#core/api';
import type { Call } from '#service/operations';
import type { Store } from '#store';
import { prepareTurn } from './prepare-turn.ts';
import { runTurn } from './run-turn.ts';

/**
 * Answers a message, event by event, until `signal`. Throws only for what was asked wrongly: `not_found`,
 * `invalid_request`; once it streams it throws nothing.
 */
export async function chat(
  store: Store,
  call: Call,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<AsyncGenerator<ChatEvent>> {
  return runTurn(await prepareTurn(store, call, request), signal);
}
