import type { LanguageModel, ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { AssayError, type JsonObject, limits } from '#core';

interface ModelTool {
  readonly id: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

/** Request to a chat model. */
export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly max_tokens: number;
}

/** A tool call written by the model. */
export interface ModelToolCall {
  readonly call_id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Whether the arguments are not JSON or the tool is unknown. */
  readonly malformed: boolean;
}

/** Tokens and cost of a model call. */
export interface ModelUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Cost that the provider reports; null if it reports none. */
  readonly cost_usd: number | null;
}

/** A part of a model's streamed answer. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: ModelToolCall }
  | { readonly type: 'usage'; readonly usage: ModelUsage };

const maxAnswer_chars = 200_000;
const maxCall_s = limits.copilot.call_s.value;

/**
 * Calls a model and yields the parts of its answer. Throws `provider_failed` if the call fails, is cut off, exceeds
 * the length or time limit, or is silent for `silence_ms`. Ends without an error when `signal` aborts.
 */
export async function* callModel(
  model: LanguageModel,
  request: ModelRequest,
  { signal, silence_ms }: { readonly signal: AbortSignal; readonly silence_ms: number },
): AsyncGenerator<ModelPart> {
  const silence = new AbortController();
  const startSilenceTimer = () =>
    setTimeout(() => silence.abort(new DOMException('silence', 'TimeoutError')), silence_ms);
  const tooLong = new AssayError('provider_failed', `the model did not finish within ${maxCall_s} s`);
  const callTimer = setTimeout(() => silence.abort(tooLong), maxCall_s * 1000);
  let timer = startSilenceTimer();
  let chars = 0;
  try {
    for await (const part of await openStream(model, request, AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') break;
      if (part.type === 'finish-step') requireFinishReason(part.rawFinishReason);
      const modelPart = toModelPart(part);
      if (modelPart !== null) yield modelPart;
      chars +=
        part.type === 'text-delta'
          ? part.text.length
          : part.type === 'reasoning-delta'
            ? part.text.length
            : 0;
      if (chars > maxAnswer_chars) throw new AssayError('provider_failed', 'the model’s answer is too long');
      timer = startSilenceTimer();
    }
    silence.signal.throwIfAborted();
  } catch (thrown) {
    if (!signal.aborted)
      throw providerFault(silence.signal.aborted ? silence.signal.reason : thrown, silence_ms);
  } finally {
    clearTimeout(timer);
    clearTimeout(callTimer);
    silence.abort();
  }
}

/** Throws `provider_failed` without a finish reason, because the answer was then cut off. */
function requireFinishReason(finishReason: string | undefined): void {
  if (finishReason === undefined)
    throw new AssayError(
      'provider_failed',
      'the chat provider closed the connection in the middle of its answer',
    );
}

async function openStream(
  model: LanguageModel,
  { instructions, messages, tools, max_tokens }: ModelRequest,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<TextStreamPart<ToolSet>>> {
  const { jsonSchema, streamText, tool } = await import('ai');
  const set: ToolSet = Object.fromEntries(
    tools.map(({ id, description, input_schema }) => [
      id,
      tool({ description, inputSchema: jsonSchema<JsonObject>(input_schema) }),
    ]),
  );
  const { fullStream } = streamText({
    ...{ model, instructions, messages: [...messages], tools: set, maxOutputTokens: max_tokens, abortSignal },
    // Calls are metered one by one, so the caller decides about retries.
    maxRetries: 0,
    onError: () => {},
  });
  return fullStream;
}

function toModelPart(part: TextStreamPart<ToolSet>): ModelPart | null {
  if (part.type === 'text-delta') return part.text === '' ? null : { type: 'text', text: part.text };
  if (part.type === 'tool-call') {
    const { toolCallId: call_id, toolName, input } = part;
    return {
      type: 'call',
      call: { call_id, tool: toolName, input, malformed: 'invalid' in part && part.invalid === true },
    };
  }
  if (part.type !== 'finish-step') return null;
  const { inputTokens, outputTokens, raw } = part.usage;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null;
  const cost = raw?.cost;
  const cost_usd = typeof cost === 'number' && cost >= 0 && Number.isFinite(cost) ? cost : null;
  return { type: 'usage', usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, cost_usd } };
}

const isCount = (value: number | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Returns an error for a failed call, without the provider's text, which may contain keys, prompts or markup. */
function providerFault(thrown: unknown, silence_ms: number): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const status = findStatus(thrown);
  return new AssayError('provider_failed', describeFault(thrown, status, silence_ms), {
    advice: status === 401 || status === 403 ? 'check the API key of the provider' : 'try again later',
    details: status === null ? {} : { status },
  });
}

function describeFault(thrown: unknown, status: number | null, silence_ms: number): string {
  if (status === 401 || status === 403) return `the chat provider rejected the API key (${status})`;
  if (status === 429) return 'the chat provider is rate-limiting requests (429)';
  if (status !== null && status >= 400) return `the chat provider returned status ${status}`;
  if (nameOf(thrown) === 'TimeoutError') return `the chat provider sent no data for ${silence_ms} ms`;
  if (status !== null || unreadableAnswer.test(nameOf(thrown)))
    return 'the chat provider returned an invalid response';
  return 'the chat provider cannot be reached or closed the connection';
}

/** Names of library errors for malformed answers. */
const unreadableAnswer = /JSONParse|TypeValidation|InvalidResponse/;
const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '');

/** Returns the HTTP status of an error or of an error that it wraps; null if there was no answer. */
function findStatus(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  if ('statusCode' in thrown && typeof thrown.statusCode === 'number') return thrown.statusCode;
  if ('lastError' in thrown) return findStatus(thrown.lastError);
  return 'cause' in thrown ? findStatus(thrown.cause) : null;
}
