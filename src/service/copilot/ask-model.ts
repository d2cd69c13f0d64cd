import type { LanguageModel, ModelMessage } from 'ai';
import { estimateTokens, limits } from '#core';
import { type ReservedCall, reserveModelCall, settleModelCall } from '#service/operations';
import { assertNoMedia } from './boundary/assert-no-media.ts';
import { callModel, type ModelRequest, type ModelToolCall, type ModelUsage } from './call-model.ts';
import { type Answerer, appendText, type ChatStream, type Turn, type TurnLog } from './turn.ts';

/** Answer of one model call. */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
}

/** Turn, model and signal of a model call. */
export interface ModelCallContext {
  readonly turn: Turn;
  readonly log: TurnLog;
  readonly answerer: Answerer;
  readonly model: LanguageModel;
  readonly signal: AbortSignal;
}

/**
 * Calls the model once, yields its text and usage as events, and returns its text and tool calls; reserves budget before and
 * charges the call afterwards, however it ends. Throws `media_refused`, `budget_exceeded`, `provider_failed`.
 */
export async function* askModel(asking: ModelCallContext, request: ModelRequest): ChatStream<ModelAnswer> {
  const { turn, log, answerer, model, signal } = asking;
  const { instructions, messages } = request;
  assertNoMedia({ instructions, messages });
  const prompt_tokens = estimateTokens(JSON.stringify(request));
  const reserved = await reserveModelCall(turn.store, turn.call, {
    purpose: { purpose_id: turn.thread_id, project_id: turn.project_id },
    model: answerer.model,
    tokens: { prompt_tokens, completion_tokens: request.max_tokens },
  });
  const progress: ModelCallProgress = {
    began_ms: performance.now(),
    text: '',
    calls: [],
    usage: null,
    charged: null,
  };
  try {
    const { silence_ms } = answerer.provider;
    for await (const part of callModel(model, request, { signal, silence_ms })) {
      if (part.type === 'usage') progress.usage = part.usage;
      if (part.type === 'call') progress.calls.push(part.call);
      if (part.type !== 'text') continue;
      progress.text += part.text;
      yield appendText(log, part.text);
    }
  } finally {
    progress.charged = await settleCall(asking, reserved, prompt_tokens, progress);
  }
  yield { event: 'usage', data: { model: answerer.model, ...progress.charged } };
  return { text: progress.text, calls: progress.calls };
}

interface ModelCallProgress {
  readonly began_ms: number;
  text: string;
  readonly calls: ModelToolCall[];
  usage: ModelUsage | null;
  charged: Awaited<ReturnType<typeof settleCall>> | null;
}

async function settleCall(
  { turn, log }: ModelCallContext,
  reserved: ReservedCall,
  requested_tokens: number,
  seen: ModelCallProgress,
) {
  const { prompt_tokens, completion_tokens, cost_usd } = seen.usage ?? {
    prompt_tokens: requested_tokens,
    completion_tokens: estimateTokens(
      `${seen.text}${seen.calls.map(({ input }) => JSON.stringify(input)).join('')}`,
    ),
    cost_usd: null,
  };
  const charged = await settleModelCall(turn.store, turn.call, reserved, {
    ...{ tokens: { prompt_tokens, completion_tokens }, cost_usd },
    compute_s: (performance.now() - seen.began_ms) / 1000,
  });
  log.usage.model_calls += 1;
  log.usage.prompt_tokens += prompt_tokens;
  log.usage.completion_tokens += completion_tokens;
  log.usage.cost_usd += charged.cost_usd;
  const counted_by = seen.usage === null ? ('service' as const) : ('provider' as const);
  return { prompt_tokens, completion_tokens, counted_by, ...charged };
}

/** Returns the request for the next model call, with the limit of tokens for an answer. */
export const toModelRequest = (
  instructions: string,
  messages: readonly ModelMessage[],
  tools: ModelRequest['tools'],
): ModelRequest => ({ instructions, messages, tools, max_tokens: limits.copilot.answer_tokens.value });
