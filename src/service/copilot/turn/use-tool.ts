import { AssayError, type JsonObject } from '#core';
import type { ToolEnvelope } from '#core/api';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import type { ModelToolCall } from '../providers/call-model.ts';
import { argumentHash } from '../tools/audit-tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { Turn } from './turn.ts';

export interface ToolUse {
  readonly envelope: ToolEnvelope;
  /** Null where the arguments could not be read. */
  readonly argument_hash: string | null;
}

/**
 * Does what a model asks of a tool, if it may be done: what is not understood, not allowed or not confirmed is not run.
 * Gives whatever comes of it as a value. Throws `media_refused` where a result holds media.
 */
export async function useTool(turn: Turn, tool: Tool | null, call: ModelToolCall): Promise<ToolUse> {
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
