import { createInterface } from 'node:readline';
import type { AssayClient, CopilotChatEvent, CopilotChatInput } from '@assay/client';
import { type ErrorCode, errorCodes } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { printable } from '../../printable.ts';
import { type PlaceArguments, reachService } from '../../service-place.ts';

export interface ChatArguments extends PlaceArguments {
  readonly project?: string;
  readonly thread?: string;
  readonly model?: string;
  readonly json?: boolean;
}

/** `assay chat [MESSAGE]`: one message, or a talk. Gives the exit code of its last turn. */
export async function chatCommand(
  words: readonly string[],
  args: ChatArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const client = await reachService(args, launcher);
  const project_id = args.project === undefined ? undefined : await projectOf(client, args.project);
  const lines = openLines(io);
  const asks = args.json === true ? null : (prompt: string) => agrees(lines, prompt);
  const talk = new Talk({ client, io, asks, project_id, model: args.model, thread_id: args.thread });
  const message = words.join(' ').trim();
  try {
    return message === ''
      ? await converse(talk, lines, args.json === true ? '' : '> ')
      : exitOf(await talk.say(message));
  } finally {
    lines.close();
  }
}

async function converse(talk: Talk, lines: Lines, prompt: string): Promise<number> {
  let code = 0;
  for (;;) {
    const line = await lines.next(prompt);
    if (line === null) return code;
    if (line.trim() !== '') code = exitOf(await talk.say(line.trim()));
  }
}

/** Whether a person says yes; nobody there is a no. */
async function agrees(lines: Lines, prompt: string): Promise<boolean> {
  for (;;) {
    const said = await lines.next(`${prompt} Do it? [y/n] `);
    if (said === null || /^\s*n(o)?\s*$/i.test(said)) return false;
    if (/^\s*y(es)?\s*$/i.test(said)) return true;
  }
}

function exitOf({ stop_reason, error }: Turn): number {
  if (error !== null) return isCode(error) ? errorCodes[error].exit : errorCodes.internal.exit;
  return stop_reason === 'cancelled' ? errorCodes.cancelled.exit : 0;
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** Lines that a person types, or that another program writes. */
interface Lines {
  /** Shows what is asked, and gives the next line; null where there will be none, or the person stops. */
  next(prompt: string): Promise<string | null>;
  close(): void;
}

/** Standard input is read from the first line that is asked for, so that a message on the command line needs none. */
function openLines(io: Io): Lines {
  let reader: ReturnType<typeof createInterface> | null = null;
  let iterator: AsyncIterator<string> | null = null;
  const open = () => {
    reader = createInterface({ input: process.stdin });
    io.signal.addEventListener('abort', () => reader?.close(), { once: true });
    return reader[Symbol.asyncIterator]();
  };
  return {
    next: async (prompt) => {
      if (io.signal.aborted) return null;
      iterator ??= open();
      io.note(printable(prompt));
      const { done, value } = await iterator.next();
      return done === true ? null : value;
    },
    close: () => reader?.close(),
  };
}

interface TalkParts {
  readonly client: AssayClient;
  readonly io: Io;
  /** Asks the person for a yes; null: events go out as JSON, and nobody is asked. */
  readonly asks: ((prompt: string) => Promise<boolean>) | null;
  readonly project_id: string | undefined;
  readonly model: string | undefined;
  readonly thread_id: string | undefined;
}

/** Messages of a talk that go along with the next one. */
const mostKept = 40;

/** What was said so far, and what is said next. */
class Talk {
  readonly #parts: TalkParts;
  readonly #said: { readonly role: 'user' | 'assistant'; readonly content: string }[] = [];
  #thread_id: string | undefined;

  constructor(parts: TalkParts) {
    this.#parts = parts;
    this.#thread_id = parts.thread_id;
  }

  /** One message and its answer; what waits for a yes is asked, and done where it is given. */
  async say(content: string): Promise<Turn> {
    const { asks, io } = this.#parts;
    let turn = await this.#turn(content, {});
    while (asks !== null && turn.confirmations.length > 0 && !io.signal.aborted) {
      const approvals = [];
      for (const { tool, argument_hash, prompt } of turn.confirmations)
        if (await asks(prompt)) approvals.push({ tool, argument_hash });
      if (approvals.length === 0) break;
      turn = await this.#turn(content, { autopilot: true, approvals });
    }
    this.#said.push({ role: 'user', content });
    if (turn.text.trim() !== '') this.#said.push({ role: 'assistant', content: turn.text });
    return turn;
  }

  async #turn(content: string, consent: object): Promise<Turn> {
    const { client, io, asks, project_id, model } = this.#parts;
    const messages = [...this.#said.slice(-mostKept), { role: 'user' as const, content }];
    const asked = { messages, project_id, model, thread_id: this.#thread_id, autopilot: false, ...consent };
    const turn = await takeTurn(client, asked, io.signal, (event) => showEvent(event, io, asks === null));
    this.#thread_id = turn.thread_id ?? this.#thread_id;
    return turn;
  }
}

type Confirmation = Extract<CopilotChatEvent, { event: 'confirmation' }>['data'];

/** A turn of the copilot as it ended. */
interface Turn {
  readonly text: string;
  readonly confirmations: readonly Confirmation[];
  /** Code of what went wrong; null: nothing. */
  readonly error: string | null;
  readonly stop_reason: string;
  /** Null: it was left before it ended. */
  readonly thread_id: string | null;
}

/** Asks once, shows events as they come. A stream that is cut is not asked for again: its turn may have done things. */
async function takeTurn(
  client: AssayClient,
  asked: CopilotChatInput,
  signal: AbortSignal,
  show: (event: CopilotChatEvent) => Promise<void>,
): Promise<Turn> {
  let text = '';
  const confirmations: Confirmation[] = [];
  let ended: Omit<Turn, 'text' | 'confirmations'> = {
    error: null,
    stop_reason: 'cancelled',
    thread_id: null,
  };
  try {
    for await (const event of client.copilot.copilotChat(asked, { signal, tries: 1 })) {
      await show(event);
      if (event.event === 'token') text += event.data.text;
      if (event.event === 'confirmation') confirmations.push(event.data);
      if (event.event === 'error') ended = { ...ended, error: event.data.code };
      if (event.event === 'done') ended = { ...ended, ...event.data };
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
  return { ...ended, text, confirmations };
}

const longest = 160;

/** The assistant's words to standard output as they come, what it does to standard error; or everything as JSON lines. */
async function showEvent(event: CopilotChatEvent, io: Io, json: boolean): Promise<void> {
  if (json) return io.out(`${JSON.stringify({ event: event.event, data: event.data })}\n`);
  if (event.event === 'token') return io.out(event.data.text);
  const line = lineOf(event);
  if (line !== null) io.note(`${printable(line)}\n`);
  if (event.event === 'done') await io.out('\n');
}

/** Null for what needs no line. */
function lineOf(event: CopilotChatEvent): string | null {
  switch (event.event) {
    case 'start':
      return event.data.degraded
        ? `assay: no model answers${event.data.reason === null ? '' : `: ${event.data.reason}`}`
        : `assay: ${event.data.model} answers`;
    case 'tool_call':
      return short(`  → ${event.data.tool} ${JSON.stringify(event.data.arguments)}`);
    case 'tool_result':
      return `  ← ${event.data.tool} ${resultOf(event.data.result)}`;
    case 'usage': {
      const { prompt_tokens, completion_tokens, cost_usd } = event.data;
      return `  ${prompt_tokens} + ${completion_tokens} tokens, $${cost_usd}`;
    }
    case 'error':
      return `assay: ${event.data.message} (${event.data.code})`;
    case 'done':
      return event.data.stop_reason === 'complete'
        ? null
        : `assay: the turn ended: ${event.data.stop_reason}`;
    default:
      return null;
  }
}

type Result = Extract<CopilotChatEvent, { event: 'tool_result' }>['data']['result'];

function resultOf(result: Result): string {
  if (result.status === 'error') return `${result.error.code}: ${result.error.message}`;
  return result.status === 'ok' ? 'done' : 'waits for a yes';
}

const short = (line: string): string => (line.length > longest ? `${line.slice(0, longest)}…` : line);
