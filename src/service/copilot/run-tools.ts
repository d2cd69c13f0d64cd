import type { ModelMessage } from 'ai';
import { AssayError, type JsonObject, type JsonValue } from '#core';
import type { ChatRequest, ToolEnvelope } from '#core/api';
import { assertNoMedia } from './boundary/assert-no-media.ts';
import { mediaInText } from './boundary/media-in-text.ts';
import { withholdMedia, withholdMediaWithin } from './boundary/withhold-media.ts';
import type { ModelToolCall } from './call-model.ts';
import type { Tool } from './tools/define-tool.ts';
import { argumentHash } from './tools/define-tool.ts';
import type { ChatStream, Turn, TurnLog } from './turn.ts';

/** One round of tool calls. */
export interface ToolRound {
  readonly turn: Turn;
  readonly log: TurnLog;
  /** Number of the round, from 1. */
  readonly step: number;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly signal: AbortSignal;
}

type Settled = PromiseSettledResult<ToolUse>;

/**
 * Runs one round of tool calls (consecutive reading calls in parallel, others one by one in order), yields their events, and
 * returns the calls with their results. After the client disconnects no call is started, but started calls are awaited. Throws
 * `media_refused` after the event of that result.
 */
export async function* runTools(
  round: ToolRound,
  calls: readonly ModelToolCall[],
): ChatStream<readonly FinishedCall[]> {
  const ended: FinishedCall[] = [];
  for (const group of groupCalls(round.tools, calls)) {
    for (const call of group)
      yield { event: 'tool_call', data: { ...callFacts(round, call), arguments: toShownArguments(call) } };
    if (round.signal.aborted) return ended;
    const uses = await Promise.allSettled(
      group.map((call) => useTool(round.turn, round.tools.get(call.tool) ?? null, call)),
    );
    for (const [at, call] of group.entries()) {
      const envelope = recordUse(round, call, uses[at]);
      if (envelope.status === 'needs_confirmation') {
        const { argument_hash, prompt } = envelope;
        const data = { ...callFacts(round, call), arguments: toShownArguments(call), argument_hash, prompt };
        yield { event: 'confirmation', data };
      }
      yield { event: 'tool_result', data: { ...callFacts(round, call), result: envelope } };
      ended.push({ call, envelope });
    }
    const refused = uses.find((use) => use.status === 'rejected');
    if (refused !== undefined) throw refused.reason;
  }
  return ended;
}

function groupCalls(tools: ReadonlyMap<string, Tool>, calls: readonly ModelToolCall[]): ModelToolCall[][] {
  const reads = ({ tool }: ModelToolCall) => tools.get(tool)?.effect === 'read';
  const groups: ModelToolCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last !== undefined && reads(call) && last.every(reads)) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

/** Records the result of a call in the log and returns its envelope. */
function recordUse({ log }: ToolRound, { tool }: ModelToolCall, use: Settled): ToolEnvelope {
  const { envelope, argument_hash } = use.status === 'fulfilled' ? use.value : failedUse(use.reason);
  log.tools.push({ tool, status: envelope.status, argument_hash });
  if (envelope.status === 'needs_confirmation')
    log.confirmations.push({ tool, argument_hash: envelope.argument_hash });
  return envelope;
}

function failedUse(reason: unknown): ToolUse {
  const fault =
    reason instanceof AssayError ? reason : new AssayError('internal', 'internal error in the tool');
  const { code, message, advice, details } = fault;
  return { envelope: { status: 'error', error: { code, message, advice, details } }, argument_hash: null };
}

const callFacts = ({ step }: ToolRound, { tool, call_id }: ModelToolCall) => ({ step, tool, call_id });

/** Returns the arguments for the event as the model wrote them; null if they contain media. */
const toShownArguments = ({ input }: ModelToolCall): JsonValue => {
  const text = JSON.stringify(input ?? null);
  return mediaInText(text) === null ? JSON.parse(text) : null;
};

/** Converts the messages of a chat for the model, with media in user text withheld. */
export const toModelMessages = ({ messages }: ChatRequest): ModelMessage[] =>
  messages.map(({ role, content }) => ({ role, content: withholdMedia(content) }));

/** A tool call with its result. */
interface FinishedCall {
  readonly call: ModelToolCall;
  readonly envelope: ToolEnvelope;
}

/** Returns the messages that a round adds to the chat: the model's text and calls, and their results. */
export function toRoundMessages(text: string, ended: readonly FinishedCall[]): ModelMessage[] {
  const calls = ended.map(({ call: { call_id, tool, input, malformed } }) => ({
    ...{ type: 'tool-call' as const, toolCallId: call_id, toolName: tool },
    input: malformed ? {} : withholdMediaWithin(input),
  }));
  const results = ended.map(({ call: { call_id, tool }, envelope }) => ({
    ...{ type: 'tool-result' as const, toolCallId: call_id, toolName: tool },
    output: { type: 'text' as const, value: asData(tool, envelope) },
  }));
  const words = text === '' ? [] : [{ type: 'text' as const, text: withholdMedia(text) }];
  return [
    { role: 'assistant', content: [...words, ...calls] },
    { role: 'tool', content: results },
  ];
}

interface ToolUse {
  readonly envelope: ToolEnvelope;
  /** Hash of the arguments; null if they could not be parsed. */
  readonly argument_hash: string | null;
}

/**
 * Runs a tool call if it is valid, allowed and confirmed; returns every result, including errors, as a value. Throws
 * `media_refused` if a result contains media.
 */
async function useTool(turn: Turn, tool: Tool | null, call: ModelToolCall): Promise<ToolUse> {
  let argument_hash: string | null = null;
  try {
    if (tool === null) throw unknownTool(call.tool);
    if (call.malformed) throw malformed(tool.id);
    const input = tool.read(call.input);
    argument_hash = argumentHash(tool.id, input);
    const envelope = await runOrAskConfirmation(turn, tool, input, argument_hash);
    assertNoMedia(envelope);
    return { envelope, argument_hash };
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'media_refused') throw thrown;
    return { envelope: errorEnvelope(thrown), argument_hash };
  }
}

async function runOrAskConfirmation(
  turn: Turn,
  tool: Tool,
  input: JsonObject,
  argument_hash: string,
): Promise<ToolEnvelope> {
  const call = { ...turn.call, now: new Date() };
  if (tool.confirmed && !(await turn.approvals.take(tool.id, argument_hash))) {
    if (tool.confirmation === null) throw new AssayError('internal', `${tool.id} cannot be confirmed`);
    const { prompt, facts } = await tool.confirmation(turn.store, call, input);
    return { status: 'needs_confirmation', argument_hash, prompt, facts };
  }
  return { status: 'ok', result: await tool.run(turn.store, call, input) };
}

function errorEnvelope(thrown: unknown): ToolEnvelope {
  const isReportable = thrown instanceof AssayError && thrown.code !== 'internal';
  const error = isReportable
    ? { code: thrown.code, message: thrown.message, advice: thrown.advice, details: thrown.details }
    : { code: 'internal', message: 'internal error in the tool', advice: null, details: {} };
  const envelope: ToolEnvelope = { status: 'error', error };
  assertNoMedia(envelope);
  return envelope;
}

const unknownTool = (name: string): AssayError =>
  new AssayError('not_found', 'tool not found or not available to your role', {
    advice: 'call one of the listed tools',
    details: { tool: /^\w{1,60}$/.test(name) ? name : null },
  });

const malformed = (tool: string): AssayError =>
  new AssayError('bad_request', `the arguments of ${tool} are not a JSON object`, {
    advice: 'send one JSON object that matches the tool’s input schema',
  });

const maxData_chars = 24_000;

/**
 * Formats a value as JSON for the model, cut off after 24,000 characters and marked as data, so that texts of recordings and
 * people are not taken for instructions.
 * Angle brackets are escaped, so no value can close the mark.
 */
export function asData(source: string, value: unknown): string {
  const text = JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  const rest = text.length - maxData_chars;
  const limitedText =
    rest > 0 ? `${text.slice(0, maxData_chars)} … and ${rest} characters more: ask for less` : text;
  return `<data source="${source}">${limitedText}</data>`;
}
