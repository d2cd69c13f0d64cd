import type { LanguageModel, ModelMessage } from 'ai';
import { countTokens, limits } from '#core';
import { type ReservedCall, reserveModelCall, settleModelCall } from '#service/operations';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import {
  callModel,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
} from '../providers/call-model.ts';
import { type Answerer, type Playing, say, type Turn, type TurnLog } from './turn.ts';

/** What a model wrote in one call. */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
}

export interface Asking {
  readonly turn: Turn;
  readonly log: TurnLog;
  readonly answerer: Answerer;
  readonly model: LanguageModel;
  readonly signal: AbortSignal;
}

/**
 * Asks the model once: looks that no media is in what it is told, puts money aside, streams its words, charges what it
 * took. Throws `media_refused`, `budget_exceeded`, `provider_failed`.
 */
export async function* askModel(asking: Asking, request: ModelRequest): Playing<ModelAnswer> {
  const { turn, log, answerer, model, signal } = asking;
  const { instructions, messages } = request;
  assertNoMedia({ instructions, messages });
  const prompt_tokens = countTokens(JSON.stringify(request));
  const reserved = await reserveModelCall(turn.store, turn.call, {
    purpose: { purpose_id: turn.thread_id, project_id: turn.project_id },
    ...answerer,
    tokens: { prompt_tokens, completion_tokens: request.max_tokens },
  });
  const seen: Seen = { began_ms: performance.now(), text: '', calls: [], usage: null, charged: null };
  try {
    const { silence_ms } = answerer.provider;
    for await (const part of callModel(model, request, { signal, silence_ms })) {
      if (part.type === 'usage') seen.usage = part.usage;
      if (part.type === 'call') seen.calls.push(part.call);
      if (part.type !== 'text') continue;
      seen.text += part.text;
      yield say(log, part.text);
    }
  } finally {
    seen.charged = await settle(asking, reserved, prompt_tokens, seen);
  }
  yield { event: 'usage', data: { model: answerer.model, ...seen.charged } };
  return { text: seen.text, calls: seen.calls };
}

interface Seen {
  readonly began_ms: number;
  text: string;
  readonly calls: ModelToolCall[];
  usage: ModelUsage | null;
  charged: Awaited<ReturnType<typeof settle>> | null;
}

async function settle({ turn, log }: Asking, reserved: ReservedCall, asked_tokens: number, seen: Seen) {
  const { prompt_tokens, completion_tokens, cost_usd } = seen.usage ?? {
    prompt_tokens: asked_tokens,
    completion_tokens: countTokens(
      `${seen.text}${seen.calls.map(({ input }) => JSON.stringify(input)).join('')}`,
    ),
    cost_usd: null,
  };
  const cost = await settleModelCall(turn.store, turn.call, reserved, {
    ...{ tokens: { prompt_tokens, completion_tokens }, cost_usd },
    compute_s: (performance.now() - seen.began_ms) / 1000,
  });
  log.usage.model_calls += 1;
  log.usage.prompt_tokens += prompt_tokens;
  log.usage.completion_tokens += completion_tokens;
  log.usage.cost_usd += cost;
  const counted_by = seen.usage === null ? ('service' as const) : ('provider' as const);
  return { prompt_tokens, completion_tokens, cost_usd: cost, counted_by };
}

/** A request for the next call. */
export const requestOf = (
  instructions: string,
  messages: readonly ModelMessage[],
  tools: ModelRequest['tools'],
): ModelRequest => ({ instructions, messages, tools, max_tokens: limits.copilot.answer_tokens.value });
