import { setTimeout as pause } from 'node:timers/promises';
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
import { AssayError, estimateTokens } from '#core';
import type { VisionEndpoint } from '#core/api';
import { EndpointFault, endpointError, toEndpointFault } from './endpoint-fault.ts';

/** Maximum calls per question. */
const maxCalls = 4;
const firstPause_ms = 1000;
/** Longest wait before a retry. If the server requests more, the call fails and the job is retried later. */
const maxPause_ms = 30_000;

/** Options of `askEndpoint`. */
export interface AskOptions extends CallHooks {
  /** First wait before a retry, in ms; it doubles with each retry. Default 1000. */
  readonly pause_ms?: number;
}

/**
 * Asks an endpoint's model and returns the parsed answer; retries with growing pauses if it is overloaded,
 * unavailable or answers malformed, and throws if that persists or it refuses.
 *
 * @throws `rate_limited` or `endpoint_unavailable` if that persists, `endpoint_failed` if it refuses or cannot
 * answer, `cancelled` if the signal is aborted.
 */
export async function askEndpoint<Answer>(
  endpoint: VisionEndpoint,
  question: VisionQuestion<Answer>,
  { pause_ms = firstPause_ms, ...hooks }: AskOptions,
): Promise<Answer> {
  let currentQuestion: VisionQuestion<Answer> = question;
  for (let call = 1; ; call++) {
    try {
      return readAnswer(await callEndpoint(endpoint, currentQuestion, hooks), question.answer);
    } catch (thrown) {
      throwIfCancelled(hooks.signal);
      const fault = toEndpointFault(thrown, endpoint.silence_ms);
      const wait_ms = Math.max(fault.retry_after_ms ?? 0, pause_ms * 2 ** (call - 1));
      if (!fault.retryable || call >= maxCalls || wait_ms > maxPause_ms)
        throw endpointError(endpoint, fault, call);
      if (fault.code === 'endpoint_failed') currentQuestion = withCorrection(question, fault);
      await pause(wait_ms, null, { signal: hooks.signal }).catch(() => throwIfCancelled(hooks.signal));
    }
  }
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new AssayError('cancelled', 'cancelled while waiting for the vision endpoint');
}

/** Adds the error to the question: at temperature 0, the same question would give the same answer. */
const withCorrection = <Answer>(
  question: VisionQuestion<Answer>,
  { message }: EndpointFault,
): VisionQuestion<Answer> => ({
  ...question,
  content: [...question.content, `Before, the model ${message}. Answer with JSON of the schema alone.`],
});

/**
 * Parses and validates an answer.
 * @throws `EndpointFault` with the mismatch.
 */
function readAnswer<Answer>(text: string, schema: z.ZodType<Answer>): Answer {
  const read = schema.safeParse(parseJsonAnswer(text));
  if (read.success) return read.data;
  throw new EndpointFault(
    `returned JSON that does not match the schema: ${z.prettifyError(read.error).slice(0, 300)}`,
    {
      code: 'endpoint_failed',
      retryable: true,
    },
  );
}

/** Parses the JSON of an answer, without a leading `<think>` block and without a code fence. */
function parseJsonAnswer(text: string): unknown {
  const body = text.replace(/^[\s\S]*<\/think>/, '').trim();
  const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(body);
  try {
    return JSON.parse(fenced?.[1] ?? body);
  } catch {
    throw new EndpointFault('returned invalid JSON', { code: 'endpoint_failed', retryable: true });
  }
}

type ChatModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;
type CallOptions = Parameters<ChatModel['doStream']>[0];
type StreamPart =
  Awaited<ReturnType<ChatModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

interface CallHooks {
  readonly signal: AbortSignal;
  /** Called whenever the server sends something. */
  readonly onAlive: () => void;
  /** Called with the tokens of each call that the server accepted, however it ended. */
  readonly onUsage: (usage: VisionUsage) => void;
}

const maxAnswer_chars = 100_000;

/**
 * Makes one call and returns the text.
 * @throws if the call fails, is cut off, exceeds the length limit or is silent for too long.
 */
async function callEndpoint(
  endpoint: VisionEndpoint,
  question: VisionQuestion<unknown>,
  { signal, onAlive, onUsage }: CallHooks,
): Promise<string> {
  const silence = new AbortController();
  const abortSilent = () => silence.abort(new DOMException('silence', 'TimeoutError'));
  let timer = setTimeout(abortSilent, endpoint.silence_ms);
  const answer = new Answer(question);
  try {
    const abortSignal = AbortSignal.any([signal, silence.signal]);
    const { stream } = await (await openModel(endpoint)).doStream({
      ...toCallOptions(question),
      abortSignal,
    });
    answer.accepted = true;
    for await (const part of stream) {
      clearTimeout(timer);
      timer = setTimeout(abortSilent, endpoint.silence_ms);
      onAlive();
      answer.add(part);
    }
    return answer.finalText();
  } catch (thrown) {
    signal.throwIfAborted();
    if (!silence.signal.aborted) throw thrown;
    answer.accepted = true;
    throw silence.signal.reason;
  } finally {
    clearTimeout(timer);
    silence.abort();
    if (answer.accepted) onUsage(answer.usage());
  }
}

/** Creates a client for the endpoint. Redirects are refused, so that pictures go to this address only. */
async function openModel({ url, api_key, model }: VisionEndpoint): Promise<ChatModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const server = createOpenAICompatible({
    ...{ name: 'vision', baseURL: url, includeUsage: true, supportsStructuredOutputs: true },
    fetch: (address, init) => fetch(address, { ...init, redirect: 'error' }),
    ...(api_key === null ? {} : { apiKey: api_key }),
  });
  return server.chatModel(model);
}

const toCallOptions = ({
  instructions,
  content,
  answer,
  max_tokens,
}: VisionQuestion<unknown>): CallOptions => ({
  prompt: [
    { role: 'system', content: instructions },
    { role: 'user', content: content.map(toContentPart) },
  ],
  responseFormat: { type: 'json', name: 'answer', schema: z.toJSONSchema(answer) as JsonSchema },
  maxOutputTokens: max_tokens,
  // Greedy decoding, so that the same pictures give the same answer if the server supports it.
  temperature: 0,
  seed: 0,
});

type JsonSchema = Extract<CallOptions['responseFormat'], { type: 'json' }>['schema'];

const toContentPart = (part: string | JpegPicture) =>
  typeof part === 'string'
    ? { type: 'text' as const, text: part }
    : { type: 'file' as const, mediaType: 'image/jpeg', data: { type: 'data' as const, data: part.jpeg } };

/** Collects a streamed answer. */
class Answer {
  /** Whether the server accepted the question. */
  accepted = false;
  readonly #question: VisionQuestion<unknown>;
  #text = '';
  #thought_chars = 0;
  #reportedUsage: VisionUsage | null = null;
  #finished = false;

  constructor(question: VisionQuestion<unknown>) {
    this.#question = question;
  }

  add(part: StreamPart): void {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') this.#text += part.delta;
    if (part.type === 'reasoning-delta') this.#thought_chars += part.delta.length;
    if (this.#text.length + this.#thought_chars > maxAnswer_chars) throw endlessFault;
    if (part.type !== 'finish') return;
    // A server that finishes an answer gives a reason; without one, the answer was cut off.
    this.#finished = part.finishReason.raw !== undefined;
    const [prompt_tokens, completion_tokens] = [part.usage.inputTokens.total, part.usage.outputTokens.total];
    if (isCount(prompt_tokens) && isCount(completion_tokens))
      this.#reportedUsage = { prompt_tokens, completion_tokens };
  }

  finalText(): string {
    if (this.#finished) return this.#text;
    throw new EndpointFault('closed the connection in the middle of its answer', {
      code: 'endpoint_unavailable',
      retryable: true,
    });
  }

  usage(): VisionUsage {
    return (
      this.#reportedUsage ?? {
        prompt_tokens: questionTokens(this.#question),
        completion_tokens: estimateTokens(this.#text) + Math.ceil(this.#thought_chars / 3),
      }
    );
  }
}

const isCount = (value: number | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const endlessFault = new EndpointFault('did not stop generating', {
  code: 'endpoint_failed',
  retryable: false,
});

/** Side of the square that vision models encode as one token: 28 px for Qwen2.5-VL, 32 px for Qwen3-VL. */
const patch_px = 28;

/** Estimates the tokens of a picture. */
const pictureTokens = ({ width_px, height_px }: Pick<JpegPicture, 'width_px' | 'height_px'>): number =>
  Math.ceil(width_px / patch_px) * Math.ceil(height_px / patch_px);

/** Estimates the tokens of a question, for servers that do not report them. */
function questionTokens({
  instructions,
  content,
}: Pick<VisionQuestion<unknown>, 'instructions' | 'content'>): number {
  return content.reduce(
    (sum, part) => sum + (typeof part === 'string' ? estimateTokens(part) : pictureTokens(part)),
    estimateTokens(instructions),
  );
}

/** A picture to send. */
export interface JpegPicture {
  readonly jpeg: Uint8Array;
  readonly width_px: number;
  readonly height_px: number;
}

/** A question to a vision model, with the schema of its answer. */
export interface VisionQuestion<Answer, Picture = JpegPicture> {
  readonly instructions: string;
  /** Texts and pictures, in order. */
  readonly content: readonly (string | Picture)[];
  readonly answer: z.ZodType<Answer>;
  /** Maximum tokens of the answer. */
  readonly max_tokens: number;
}

/** Token usage of a call: as reported by the server, else estimated. */
export interface VisionUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}
