import type { LanguageModel, ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { AssayError, type JsonObject, limits } from '#core';

interface ModelTool {
  readonly id: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly max_tokens: number;
}

/** A call of a tool as the model wrote it. */
export interface ModelToolCall {
  readonly call_id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Whether its arguments were no JSON, or it names no tool. */
  readonly malformed: boolean;
}

export interface ModelUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** As the provider says; null: it does not. */
  readonly cost_usd: number | null;
}

/** What comes of a model while it answers. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: ModelToolCall }
  | { readonly type: 'usage'; readonly usage: ModelUsage };

const longestAnswer_chars = 200_000;
const longest_s = limits.copilot.call_s.value;

/**
 * One call of a model, as its parts come. Throws `provider_failed` where it fails, breaks off, writes without end or says
 * nothing for `silence_ms`, or is not done in time; ends without a word when `signal` is aborted.
 */
export async function* callModel(
  model: LanguageModel,
  request: ModelRequest,
  { signal, silence_ms }: { readonly signal: AbortSignal; readonly silence_ms: number },
): AsyncGenerator<ModelPart> {
  const silence = new AbortController();
  const quiet = () =>
    setTimeout(() => silence.abort(new DOMException('silence', 'TimeoutError')), silence_ms);
  const tooLong = new AssayError('provider_failed', `the model was not done within ${longest_s} s`);
  const whole = setTimeout(() => silence.abort(tooLong), longest_s * 1000);
  let timer = quiet();
  let chars = 0;
  try {
    for await (const part of await streamOf(model, request, AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') break;
      if (part.type === 'finish-step') demandWhole(part.rawFinishReason);
      const told = partOf(part);
      if (told !== null) yield told;
      chars +=
        part.type === 'text-delta'
          ? part.text.length
          : part.type === 'reasoning-delta'
            ? part.text.length
            : 0;
      if (chars > longestAnswer_chars)
        throw new AssayError('provider_failed', 'the model writes without end');
      timer = quiet();
    }
    silence.signal.throwIfAborted();
  } catch (thrown) {
    if (!signal.aborted)
      throw providerFault(silence.signal.aborted ? silence.signal.reason : thrown, silence_ms);
  } finally {
    clearTimeout(timer);
    clearTimeout(whole);
    silence.abort();
  }
}

/** A server that ends an answer says why; without that it was cut off, whatever came of it. */
function demandWhole(said: string | undefined): void {
  if (said === undefined)
    throw new AssayError('provider_failed', 'the chat provider broke off in the middle of its answer');
}

async function streamOf(
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
    // A turn is metered call by call: whoever asks decides whether to try again.
    maxRetries: 0,
    onError: () => {},
  });
  return fullStream;
}

function partOf(part: TextStreamPart<ToolSet>): ModelPart | null {
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

/** What a provider did wrong, without what it wrote: that may hold keys, prompts or markup. */
function providerFault(thrown: unknown, silence_ms: number): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const status = statusOf(thrown);
  return new AssayError('provider_failed', wordsOf(thrown, status, silence_ms), {
    advice: status === 401 || status === 403 ? 'check the key of the provider' : 'ask again in a while',
    details: status === null ? {} : { status },
  });
}

function wordsOf(thrown: unknown, status: number | null, silence_ms: number): string {
  if (status === 401 || status === 403) return `the chat provider refuses the key (${status})`;
  if (status === 429) return 'the chat provider has too many requests (429)';
  if (status !== null && status >= 400) return `the chat provider answered ${status}`;
  if (nameOf(thrown) === 'TimeoutError') return `the chat provider said nothing for ${silence_ms} ms`;
  if (status !== null || unreadable.test(nameOf(thrown))) return 'the chat provider’s answer cannot be read';
  return 'the chat provider cannot be reached, or broke off';
}

/** Names of errors of the library where an answer is not what the protocol says. */
const unreadable = /JSONParse|TypeValidation|InvalidResponse/;
const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '');

/** Of an answer that came; wrapped errors tell it as well. */
function statusOf(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  if ('statusCode' in thrown && typeof thrown.statusCode === 'number') return thrown.statusCode;
  if ('lastError' in thrown) return statusOf(thrown.lastError);
  return 'cause' in thrown ? statusOf(thrown.cause) : null;
}
