import { setTimeout as pause } from 'node:timers/promises';
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
import { AssayError, countTokens } from '#core';
import type { VisionEndpoint } from '#core/api';
import { EndpointFault, failedBy, faultOf } from './endpoint-fault.ts';
import type { ShownPicture, VisionQuestion, VisionUsage } from './question.ts';

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

/** What a model wrote, held against the form that was asked for. Throws `EndpointFault` with what is wrong. */
function readAnswer<Answer>(text: string, form: z.ZodType<Answer>): Answer {
  const read = form.safeParse(jsonIn(text));
  if (read.success) return read.data;
  throw new EndpointFault(`gave an answer of another form: ${z.prettifyError(read.error).slice(0, 300)}`, {
    code: 'endpoint_failed',
    passes: true,
  });
}

/** Some models think aloud first, or put the answer into a fence. */
function jsonIn(text: string): unknown {
  const said = text.replace(/^[\s\S]*<\/think>/, '').trim();
  const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(said);
  try {
    return JSON.parse(fenced?.[1] ?? said);
  } catch {
    throw new EndpointFault('gave an answer that is no JSON', { code: 'endpoint_failed', passes: true });
  }
}

type ChatModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;
type CallOptions = Parameters<ChatModel['doStream']>[0];
type StreamPart =
  Awaited<ReturnType<ChatModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

interface CallHooks {
  readonly signal: AbortSignal;
  /** The server has said something. */
  readonly onAlive: () => void;
  /** What the call took, however it ended: nothing where the server refused it. */
  readonly onUsage: (usage: VisionUsage) => void;
}

const longestAnswer_chars = 100_000;

/** One call of an endpoint's model: what it wrote. Throws where it fails, breaks off, writes without end or says nothing. */
async function callEndpoint(
  endpoint: VisionEndpoint,
  question: VisionQuestion<unknown>,
  { signal, onAlive, onUsage }: CallHooks,
): Promise<string> {
  const silence = new AbortController();
  const hush = () => silence.abort(new DOMException('silence', 'TimeoutError'));
  let timer = setTimeout(hush, endpoint.silence_ms);
  const answer = new Answer(question);
  try {
    const abortSignal = AbortSignal.any([signal, silence.signal]);
    const { stream } = await (await openModel(endpoint)).doStream({ ...callOf(question), abortSignal });
    answer.begun = true;
    for await (const part of stream) {
      clearTimeout(timer);
      timer = setTimeout(hush, endpoint.silence_ms);
      onAlive();
      answer.add(part);
    }
    return answer.whole();
  } catch (thrown) {
    signal.throwIfAborted();
    if (!silence.signal.aborted) throw thrown;
    answer.begun = true;
    throw silence.signal.reason;
  } finally {
    clearTimeout(timer);
    silence.abort();
    if (answer.begun) onUsage(answer.usage());
  }
}

/** Pictures go to this address and nowhere else: a server that sends them on is not followed. */
async function openModel({ url, api_key, model }: VisionEndpoint): Promise<ChatModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const server = createOpenAICompatible({
    ...{ name: 'vision', baseURL: url, includeUsage: true, supportsStructuredOutputs: true },
    fetch: (address, init) => fetch(address, { ...init, redirect: 'error' }),
    ...(api_key === null ? {} : { apiKey: api_key }),
  });
  return server.chatModel(model);
}

const callOf = ({ instructions, shown, answer, most_tokens }: VisionQuestion<unknown>): CallOptions => ({
  prompt: [
    { role: 'system', content: instructions },
    { role: 'user', content: shown.map(partOf) },
  ],
  responseFormat: { type: 'json', name: 'answer', schema: z.toJSONSchema(answer) as JsonSchema },
  maxOutputTokens: most_tokens,
  // The likeliest words, so that the same pictures are answered alike where the server can.
  temperature: 0,
  seed: 0,
});

type JsonSchema = Extract<CallOptions['responseFormat'], { type: 'json' }>['schema'];

const partOf = (part: string | ShownPicture) =>
  typeof part === 'string'
    ? { type: 'text' as const, text: part }
    : { type: 'file' as const, mediaType: 'image/jpeg', data: { type: 'data' as const, data: part.jpeg } };

/** An answer as it comes. */
class Answer {
  /** The server has taken the question. */
  begun = false;
  readonly #question: VisionQuestion<unknown>;
  #text = '';
  #thought_chars = 0;
  #said: VisionUsage | null = null;
  #ended = false;

  constructor(question: VisionQuestion<unknown>) {
    this.#question = question;
  }

  add(part: StreamPart): void {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') this.#text += part.delta;
    if (part.type === 'reasoning-delta') this.#thought_chars += part.delta.length;
    if (this.#text.length + this.#thought_chars > longestAnswer_chars) throw endless;
    if (part.type !== 'finish') return;
    // A server that ends an answer says why; without that it was cut off, whatever came of it.
    this.#ended = part.finishReason.raw !== undefined;
    const [prompt_tokens, completion_tokens] = [part.usage.inputTokens.total, part.usage.outputTokens.total];
    if (isCount(prompt_tokens) && isCount(completion_tokens))
      this.#said = { prompt_tokens, completion_tokens };
  }

  whole(): string {
    if (this.#ended) return this.#text;
    throw new EndpointFault('broke off in the middle of its answer', {
      code: 'endpoint_unavailable',
      passes: true,
    });
  }

  usage(): VisionUsage {
    return (
      this.#said ?? {
        prompt_tokens: questionTokens(this.#question),
        completion_tokens: countTokens(this.#text) + Math.ceil(this.#thought_chars / 3),
      }
    );
  }
}

const isCount = (value: number | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const endless = new EndpointFault('writes without end', { code: 'endpoint_failed', passes: false });

/** A side of the square that models of pictures make one token of: 28 px of Qwen2.5-VL, 32 px of Qwen3-VL. */
const patch_px = 28;

/** Tokens of a picture where nobody has counted them. */
const pictureTokens = ({ width_px, height_px }: Pick<ShownPicture, 'width_px' | 'height_px'>): number =>
  Math.ceil(width_px / patch_px) * Math.ceil(height_px / patch_px);

/** Tokens of a question where the server has not counted them. */
function questionTokens({
  instructions,
  shown,
}: Pick<VisionQuestion<unknown>, 'instructions' | 'shown'>): number {
  return shown.reduce(
    (sum, part) => sum + (typeof part === 'string' ? countTokens(part) : pictureTokens(part)),
    countTokens(instructions),
  );
}
