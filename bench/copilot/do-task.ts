import type { ChatEvent, Role } from '#core/api';
import { chatOver } from '#test/support/chat-client';
import {
  type ChatServer,
  type ModelCallSent,
  type ScriptedAnswer,
  toolCalls,
  words,
} from '#test/support/chat-server';
import { collect } from '#test/support/collect';
import type { Task, World } from './task.ts';

export interface Stage {
  readonly address: string;
  readonly tokens: Readonly<Record<Role, string>>;
  readonly world: World;
  /** Absent: a real model answers. */
  readonly model?: ChatServer;
}

export interface Done {
  readonly holds: boolean;
  /** Rounds of tools. */
  readonly rounds: number;
  readonly cost_usd: number;
  readonly stop_reason: string;
}

/** Does one task as a person would: asks, says yes or no to what is asked, and looks at what came of it. */
export async function doTask({ address, tokens, world, model }: Stage, task: Task): Promise<Done> {
  const before = await task.before?.(world);
  const said = { messages: [{ role: 'user', content: task.says(world) }], project_id: world.project_id };
  const ask = (more: object = {}): Promise<ChatEvent[]> => {
    model?.script(...scriptOf(task, world));
    return collect(chatOver(address, tokens[task.role ?? 'admin'], { ...said, ...more }));
  };
  const events = await ask();
  const waiting = events.flatMap((event) => (event.event === 'confirmation' ? [event.data] : []));
  if (waiting.length > 0 && task.agrees === true) {
    const approvals = waiting.map(({ tool, argument_hash }) => ({ tool, argument_hash }));
    events.push(...(await ask({ autopilot: true, approvals })));
  }
  const seen = {
    events,
    text: events.map((event) => (event.event === 'token' ? event.data.text : '')).join(''),
    asked: waiting.map(({ tool }) => tool),
    results: events.flatMap((event) => (event.event === 'tool_result' ? [event.data.result] : [])),
  };
  const ends = events.flatMap((event) => (event.event === 'done' ? [event.data] : []));
  return {
    holds: await task.holds(world, seen, before),
    rounds: ends.reduce((sum, { steps }) => sum + steps, 0),
    cost_usd: events.reduce((sum, event) => sum + (event.event === 'usage' ? event.data.cost_usd : 0), 0),
    stop_reason: ends.at(-1)?.stop_reason ?? 'none',
  };
}

const longest_chars = 20_000;

/** A model that works well: it calls what is needed, and then tells what the tools told it, and nothing else. */
function scriptOf(task: Task, world: World): (ScriptedAnswer | ((call: ModelCallSent) => ScriptedAnswer))[] {
  const rounds = task.uses(world).map(([name, input]) => toolCalls([{ name, input }]));
  return [...rounds, ({ messages }) => words([toolTexts(messages).slice(0, longest_chars)])];
}

const toolTexts = (messages: ModelCallSent['messages']): string =>
  messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
    .join('\n');
