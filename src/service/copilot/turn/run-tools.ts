import { AssayError, type JsonValue } from '#core';
import type { ToolEnvelope } from '#core/api';
import { mediaInText } from '../boundary/media-in-text.ts';
import type { ModelToolCall } from '../providers/call-model.ts';
import type { Tool } from '../tools/tool.ts';
import type { EndedCall } from './transcript.ts';
import type { Playing, Turn, TurnLog } from './turn.ts';
import { type ToolUse, useTool } from './use-tool.ts';

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
