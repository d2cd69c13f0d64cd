import { setTimeout as pause } from 'node:timers/promises';
import { AssayError } from '#core';
import type { VisionEndpoint } from '#core/api';
import { type CallHooks, callEndpoint } from './call-endpoint.ts';
import { type EndpointFault, failedBy, faultOf } from './endpoint-fault.ts';
import type { VisionQuestion } from './question.ts';
import { readAnswer } from './read-answer.ts';

/** Calls for one question. */
const mostCalls = 4;
const firstPause_ms = 1000;
/** What a server asks for beyond this is left to whoever tries the work again. */
const longestPause_ms = 30_000;

export interface AskOptions extends CallHooks {
  /** Of the first; each that follows is twice as long. */
  readonly pause_ms?: number;
}

/**
 * Asks an endpoint's model, again where it has too much to do, is away for a moment or answers in another form. Throws
 * `rate_limited` and `endpoint_unavailable` where it stays so, `endpoint_failed` where it refuses or cannot answer.
 */
export async function askEndpoint<Answer>(
  endpoint: VisionEndpoint,
  question: VisionQuestion<Answer>,
  { pause_ms = firstPause_ms, ...hooks }: AskOptions,
): Promise<Answer> {
  let asked: VisionQuestion<Answer> = question;
  for (let call = 1; ; call++) {
    try {
      return readAnswer(await callEndpoint(endpoint, asked, hooks), question.answer);
    } catch (thrown) {
      demandWanted(hooks.signal);
      const fault = faultOf(thrown, endpoint.silence_ms);
      const wait_ms = Math.max(fault.retry_after_ms ?? 0, pause_ms * 2 ** (call - 1));
      if (!fault.passes || call >= mostCalls || wait_ms > longestPause_ms)
        throw failedBy(endpoint, fault, call);
      if (fault.code === 'endpoint_failed') asked = corrected(question, fault);
      await pause(wait_ms, null, { signal: hooks.signal }).catch(() => demandWanted(hooks.signal));
    }
  }
}

function demandWanted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new AssayError('cancelled', 'the work was stopped while a vision endpoint was asked');
}

/** The likeliest words are the same again, unless the question is another one. */
const corrected = <Answer>(
  question: VisionQuestion<Answer>,
  { message }: EndpointFault,
): VisionQuestion<Answer> => ({
  ...question,
  shown: [...question.shown, `Before, the model ${message}. Answer with JSON of the schema alone.`],
});
