import type { ModelMessage } from 'ai';
import { AssayError, type JsonObject, type JsonValue } from '#core';
import type { ChatRequest, ToolEnvelope } from '#core/api';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import { mediaInText } from '../boundary/media-in-text.ts';
import { withholdMedia, withholdWithin } from '../boundary/withhold-media.ts';
import type { ModelToolCall } from '../providers/call-model.ts';
import { argumentHash } from '../tools/audit-tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { Playing, Turn, TurnLog } from './turn.ts';

export interface Round {
  readonly turn: Turn;
  readonly log: TurnLog;
  /** From 1. */
  readonly step: number;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly signal: AbortSignal;
}

type Settled = PromiseSettledResult<ToolUse>;

/**
 * One round: calls that only read and follow each other at once, others one by one in their order. Once the client has
 * gone nothing more is begun, and what has begun is waited for. Throws `media_refused` after the result's event.
 */
export async function* runTools(
  round: Round,
  calls: readonly ModelToolCall[],
): Playing<readonly EndedCall[]> {
  const ended: EndedCall[] = [];
  for (const group of groupsOf(round.tools, calls)) {
    for (const call of group)
      yield { event: 'tool_call', data: { ...facts(round, call), arguments: shown(call) } };
    if (round.signal.aborted) return ended;
    const uses = await Promise.allSettled(
      group.map((call) => useTool(round.turn, round.tools.get(call.tool) ?? null, call)),
    );
    for (const [at, call] of group.entries()) {
      const envelope = note(round, call, uses[at]);
      if (envelope.status === 'needs_confirmation') {
        const { argument_hash, prompt } = envelope;
        const data = { ...facts(round, call), arguments: shown(call), argument_hash, prompt };
        yield { event: 'confirmation', data };
      }
      yield { event: 'tool_result', data: { ...facts(round, call), result: envelope } };
      ended.push({ call, envelope });
    }
    const refused = uses.find((use) => use.status === 'rejected');
    if (refused !== undefined) throw refused.reason;
  }
  return ended;
}

function groupsOf(tools: ReadonlyMap<string, Tool>, calls: readonly ModelToolCall[]): ModelToolCall[][] {
  const reads = ({ tool }: ModelToolCall) => tools.get(tool)?.effect === 'read';
  const groups: ModelToolCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last !== undefined && reads(call) && last.every(reads)) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

/** Writes down how a call ended; gives what is told of it. */
function note({ log }: Round, { tool }: ModelToolCall, use: Settled): ToolEnvelope {
  const { envelope, argument_hash } = use.status === 'fulfilled' ? use.value : withheld(use.reason);
  log.tools.push({ tool, status: envelope.status, argument_hash });
  if (envelope.status === 'needs_confirmation')
    log.confirmations.push({ tool, argument_hash: envelope.argument_hash });
  return envelope;
}

function withheld(reason: unknown): ToolUse {
  const known = reason instanceof AssayError ? reason : new AssayError('internal', 'the tool met a fault');
  const { code, message, advice, details } = known;
  return { envelope: { status: 'error', error: { code, message, advice, details } }, argument_hash: null };
}

const facts = ({ step }: Round, { tool, call_id }: ModelToolCall) => ({ step, tool, call_id });

/** Arguments as they came; a text that is no JSON as it is, since whoever watches should see it. */
const shown = ({ input }: ModelToolCall): JsonValue => {
  const text = JSON.stringify(input ?? null);
  return mediaInText(text) === null ? JSON.parse(text) : null;
};

/** The talk as a model is shown it: what people typed or pasted comes without media. */
export const messagesOf = ({ messages }: ChatRequest): ModelMessage[] =>
  messages.map(({ role, content }) => ({ role, content: withholdMedia(content) }));

/** One call of a tool with how it ended. */
interface EndedCall {
  readonly call: ModelToolCall;
  readonly envelope: ToolEnvelope;
}

/** What a round of tools adds to the talk: the model's own words and calls, and what came of each. */
export function roundOf(text: string, ended: readonly EndedCall[]): ModelMessage[] {
  const calls = ended.map(({ call: { call_id, tool, input, malformed } }) => ({
    ...{ type: 'tool-call' as const, toolCallId: call_id, toolName: tool },
    input: malformed ? {} : withholdWithin(input),
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
  /** Null where the arguments could not be read. */
  readonly argument_hash: string | null;
}

/**
 * Does what a model asks of a tool, if it may be done: what is not understood, not allowed or not confirmed is not run.
 * Gives whatever comes of it as a value. Throws `media_refused` where a result holds media.
 */
async function useTool(turn: Turn, tool: Tool | null, call: ModelToolCall): Promise<ToolUse> {
  let argument_hash: string | null = null;
  try {
    if (tool === null) throw unknownTool(call.tool);
    if (call.malformed) throw malformed(tool.id);
    const input = tool.read(call.input);
    argument_hash = argumentHash(tool.id, input);
    const envelope = await envelopeOf(turn, tool, input, argument_hash);
    assertNoMedia(envelope);
    return { envelope, argument_hash };
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'media_refused') throw thrown;
    return { envelope: errorEnvelope(thrown), argument_hash };
  }
}

async function envelopeOf(
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
  const known = thrown instanceof AssayError && thrown.code !== 'internal';
  const error = known
    ? { code: thrown.code, message: thrown.message, advice: thrown.advice, details: thrown.details }
    : { code: 'internal', message: 'the tool met a fault', advice: null, details: {} };
  const envelope: ToolEnvelope = { status: 'error', error };
  assertNoMedia(envelope);
  return envelope;
}

const unknownTool = (name: string): AssayError =>
  new AssayError('not_found', 'there is no such tool for your role', {
    advice: 'call one of the tools that were given',
    details: { tool: /^\w{1,60}$/.test(name) ? name : null },
  });

const malformed = (tool: string): AssayError =>
  new AssayError('bad_request', `the arguments of ${tool} are no JSON object`, {
    advice: 'send one JSON object that fits the tool’s schema',
  });

const longest_chars = 24_000;

/**
 * A value as a model is shown it: marked as data, so that what recordings and people wrote is not taken for instructions.
 * No sign in it can end the mark.
 */
export function asData(source: string, value: unknown): string {
  const text = JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  const rest = text.length - longest_chars;
  const shown =
    rest > 0 ? `${text.slice(0, longest_chars)} … and ${rest} characters more: ask for less` : text;
  return `<data source="${source}">${shown}</data>`;
}
