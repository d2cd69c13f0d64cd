import { limits } from '#core';
import type { ModelToolCall } from '../providers/call-model.ts';
import { openModel } from '../providers/chat-model.ts';
import { catalogueFor } from '../tools/catalogue.ts';
import { toolsFor } from '../tools/registry.ts';
import { askModel, requestOf } from './ask-model.ts';
import { instructionsFor } from './instructions.ts';
import { runTools } from './run-tools.ts';
import { stopReasonOf } from './stop-rules.ts';
import { messagesOf, roundOf } from './transcript.ts';
import { type Answerer, type Playing, say, type Turn, type TurnLog } from './turn.ts';

const note = `\n\nI stopped after ${limits.copilot.tool_rounds.value} rounds of tools. Ask again to go on.`;

/** Asks the model and runs its tools, round by round, until a stop rule holds. Throws as `askModel` and `runTools`. */
export async function* converse(turn: Turn, log: TurnLog, answerer: Answerer, signal: AbortSignal): Playing {
  const tools = new Map(toolsFor(turn.call.actor.role).map((tool) => [tool.id, tool]));
  const model = await openModel(answerer.provider, answerer.model);
  const instructions = instructionsFor(turn.context);
  const catalogue = catalogueFor(turn.call.actor.role);
  const messages = messagesOf(turn.request);
  for (;;) {
    const asking = { turn, log, answerer, model, signal };
    const { text, calls } = yield* askModel(asking, requestOf(instructions, messages, catalogue));
    const asked = stopReasonOf({ steps: 0, wanted: calls.length, cancelled: signal.aborted });
    if (asked !== null) return asked;
    log.steps += 1;
    const wanted = calls.slice(0, limits.copilot.calls_per_round.value).map(namedApart(tools));
    const ended = yield* runTools({ turn, log, step: log.steps, tools, signal }, wanted);
    const stop = stopReasonOf({ steps: log.steps, wanted: calls.length, cancelled: signal.aborted });
    if (stop === 'step_limit') yield say(log, note);
    if (stop !== null) return stop;
    messages.push(...roundOf(text, ended));
  }
}

/** Calls with ids that differ, of tools that have a name: what a model writes need not. */
function namedApart(tools: ReadonlyMap<string, unknown>): (call: ModelToolCall) => ModelToolCall {
  const taken = new Set<string>();
  return (call) => {
    const given = /^[\w.:-]{1,100}$/.test(call.call_id) && !taken.has(call.call_id);
    const call_id = given ? call.call_id : `call_${taken.size + 1}_${crypto.randomUUID()}`;
    taken.add(call_id);
    return { ...call, call_id, tool: tools.has(call.tool) ? call.tool : 'unknown_tool' };
  };
}
