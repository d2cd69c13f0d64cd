import { setImmediate as afterWrites } from 'node:timers/promises';
import { AssayError, type ErrorCode } from '#core';
import type { ChatEvent, StopReason } from '#core/api';
import { saveTurn } from '#service/operations';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import { answerDegraded } from './answer-degraded.ts';
import { converse } from './converse.ts';
import { newLog, type Playing, type Turn, type TurnLog } from './turn.ts';

/**
 * A turn from `start` to `done`. It throws nothing: what fails is an `error` event and a stop reason. Whenever it ends,
 * also where nobody reads on, it is kept and audited once, after every tool that it began.
 */
export async function* runTurn(turn: Turn, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const log = newLog();
  const left = new AbortController();
  const gone = AbortSignal.any([signal, left.signal]);
  let stop_reason: StopReason = 'cancelled';
  let kept: Promise<void> | null = null;
  const keep = () => {
    kept ??= saveTurn(turn.store, turn.call, endedTurn(turn, log, stop_reason));
    return kept;
  };
  try {
    yield startOf(turn);
    // What a model is asked takes milliseconds to prepare: whoever began at the same time sees their start first.
    await afterWrites();
    try {
      stop_reason = yield* play(turn, log, gone);
    } catch (thrown) {
      stop_reason = gone.aborted ? 'cancelled' : stopReasonFor(thrown);
      yield errorOf(thrown);
    }
    try {
      await keep();
    } catch (thrown) {
      yield errorOf(thrown);
    }
    yield { event: 'done', data: { steps: log.steps, stop_reason, thread_id: turn.thread_id } };
  } finally {
    left.abort();
    await keep().catch(() => {});
  }
}

async function* play(turn: Turn, log: TurnLog, signal: AbortSignal): Playing {
  if (signal.aborted) return 'cancelled';
  if (turn.answerer === null) return yield* answerDegraded(turn, log);
  assertNoMedia(turn.context);
  return yield* converse(turn, log, turn.answerer, signal);
}

function startOf({ answerer, reason, request, context }: Turn): ChatEvent {
  return {
    event: 'start',
    data: {
      provider: answerer?.provider.id ?? 'none',
      model: answerer?.model ?? null,
      configured: answerer !== null,
      degraded: answerer === null,
      ...{ reason, autopilot: request.autopilot, context },
    },
  };
}

const stopReasons: Partial<Record<ErrorCode, StopReason>> = { budget_exceeded: 'budget_exceeded' };
const stopReasonFor = (thrown: unknown): StopReason =>
  (thrown instanceof AssayError ? stopReasons[thrown.code] : undefined) ?? 'provider_error';

/** Nothing of a fault of the program is told but that there was one. */
function errorOf(thrown: unknown): ChatEvent {
  const known = thrown instanceof AssayError && thrown.code !== 'internal';
  return {
    event: 'error',
    data: known
      ? { code: thrown.code, message: thrown.message }
      : { code: 'internal', message: 'the service met a fault; the turn ended' },
  };
}

const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

function endedTurn(turn: Turn, log: TurnLog, stop_reason: StopReason) {
  const { thread_id, project_id, question, message_hash, request, answerer } = turn;
  return {
    ...{ thread_id, project_id, question, message_hash, autopilot: request.autopilot },
    answer: storable(log.text),
    facts: {
      provider: answerer?.provider.id ?? ('none' as const),
      model: answerer?.model ?? null,
      ...{ steps: log.steps, stop_reason, tools: log.tools },
    },
    ...{ usage: log.usage, confirmations: log.confirmations },
  };
}
