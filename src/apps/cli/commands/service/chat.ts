import { createInterface } from 'node:readline';
import type { AssayClient, CopilotChatEvent, CopilotChatInput } from '#client';
import { type ErrorCode, errorCodes } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf, reachService, type ServiceArguments } from '../../service-client.ts';
import { printable } from '../../text.ts';

export interface ChatArguments extends ServiceArguments {
  readonly project?: string;
  readonly thread?: string;
  readonly model?: string;
  readonly json?: boolean;
}

/**
 * Runs `assay chat [MESSAGE]`: one message, or an interactive chat without one. Returns the exit code of the last turn.
 */
export async function chatCommand(
  words: readonly string[],
  args: ChatArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const client = await reachService(args, launcher);
  const project_id = args.project === undefined ? undefined : await projectOf(client, args.project);
  const lines = openLines(io);
  const asks = args.json === true ? null : (prompt: string) => confirm(lines, prompt);
  const chat = new Chat({
    client,
    io,
    askApproval: asks,
    project_id,
    model: args.model,
    thread_id: args.thread,
  });
  const message = words.join(' ').trim();
  try {
    return message === ''
      ? await converse(chat, lines, args.json === true ? '' : '> ')
      : exitOf(await chat.say(message));
  } finally {
    lines.close();
  }
}

async function converse(chat: Chat, lines: Lines, prompt: string): Promise<number> {
  let code = 0;
  for (;;) {
    const line = await lines.next(prompt);
    if (line === null) return code;
    if (line.trim() !== '') code = exitOf(await chat.say(line.trim()));
  }
}

/** Asks for a yes or no until one is given. Returns `false` if standard input has ended. */
async function confirm(lines: Lines, prompt: string): Promise<boolean> {
  for (;;) {
    const reply = await lines.next(`${prompt} Proceed? [y/n] `);
    if (reply === null || /^\s*n(o)?\s*$/i.test(reply)) return false;
    if (/^\s*y(es)?\s*$/i.test(reply)) return true;
  }
}

function exitOf({ stop_reason, error }: Turn): number {
  if (error !== null) return isCode(error) ? errorCodes[error].exit : errorCodes.internal.exit;
  return stop_reason === 'cancelled' ? errorCodes.cancelled.exit : 0;
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** Lines of standard input, typed by a person or written by another program. */
interface Lines {
  /** Prints the prompt and returns the next line; `null` if input has ended or the command was interrupted. */
  next(prompt: string): Promise<string | null>;
  close(): void;
}

/** Opens standard input on the first `next` call, so that a message on the command line needs none. */
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

interface ChatOptions {
  readonly client: AssayClient;
  readonly io: Io;
  /** Asks the user to approve an action; `null` in JSON mode, where nothing is approved. */
  readonly askApproval: ((prompt: string) => Promise<boolean>) | null;
  readonly project_id: string | undefined;
  readonly model: string | undefined;
  readonly thread_id: string | undefined;
}

/** Maximum number of earlier messages sent along with the next one. */
const maxHistoryMessages = 40;

/** One chat thread: keeps the message history and runs turns. */
class Chat {
  readonly #parts: ChatOptions;
  readonly #history: { readonly role: 'user' | 'assistant'; readonly content: string }[] = [];
  #thread_id: string | undefined;

  constructor(parts: ChatOptions) {
    this.#parts = parts;
    this.#thread_id = parts.thread_id;
  }

  /**
   * Sends a message and returns the last turn. Actions that need approval are asked for and run in a further turn once
   * approved.
   */
  async say(content: string): Promise<Turn> {
    const { askApproval: asks, io } = this.#parts;
    let turn = await this.#turn(content, {});
    while (asks !== null && turn.confirmations.length > 0 && !io.signal.aborted) {
      const approvals = [];
      for (const { tool, argument_hash, prompt } of turn.confirmations)
        if (await asks(prompt)) approvals.push({ tool, argument_hash });
      if (approvals.length === 0) break;
      turn = await this.#turn(content, { autopilot: true, approvals });
    }
    this.#history.push({ role: 'user', content });
    if (turn.text.trim() !== '') this.#history.push({ role: 'assistant', content: turn.text });
    return turn;
  }

  async #turn(content: string, consent: object): Promise<Turn> {
    const { client, io, askApproval: asks, project_id, model } = this.#parts;
    const messages = [...this.#history.slice(-maxHistoryMessages), { role: 'user' as const, content }];
    const chatRequest = {
      messages,
      project_id,
      model,
      thread_id: this.#thread_id,
      autopilot: false,
      ...consent,
    };
    const turn = await runTurn(client, chatRequest, io.signal, (event) =>
      showEvent(event, io, asks === null),
    );
    this.#thread_id = turn.thread_id ?? this.#thread_id;
    return turn;
  }
}

type Confirmation = Extract<CopilotChatEvent, { event: 'confirmation' }>['data'];

/** Result of one turn of the copilot. */
interface Turn {
  readonly text: string;
  readonly confirmations: readonly Confirmation[];
  /** Error code; `null` if the turn succeeded. */
  readonly error: string | null;
  readonly stop_reason: string;
  /** Id of the thread; `null` if the turn was interrupted before it ended. */
  readonly thread_id: string | null;
}

/**
 * Runs one turn and passes its events to `show`. An interrupted stream is not retried, since the turn may have had side
 * effects.
 */
async function runTurn(
  client: AssayClient,
  input: CopilotChatInput,
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
    for await (const event of client.copilot.chat(input, { signal, tries: 1 })) {
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

const maxLineLength = 160;

/**
 * Prints an event: the assistant's text to standard output, activity to standard error. In JSON mode every event is one
 * line on standard output.
 */
async function showEvent(event: CopilotChatEvent, io: Io, json: boolean): Promise<void> {
  if (json) return io.out(`${JSON.stringify({ event: event.event, data: event.data })}\n`);
  if (event.event === 'token') return io.out(event.data.text);
  const line = lineOf(event);
  if (line !== null) io.note(`${printable(line)}\n`);
  if (event.event === 'done') await io.out('\n');
}

const mediaNames = {
  base64: 'base64',
  base85: 'base85',
  bytes: 'lists of bytes',
  data_uri: 'data: URIs',
  media_path: 'paths of media files',
} as const;

/** Returns what was removed from the messages, for the line on the model; empty if nothing was. */
const withheldText = (kinds: readonly (keyof typeof mediaNames)[]): string =>
  kinds.length === 0 ? '' : `; not sent to the model: ${kinds.map((kind) => mediaNames[kind]).join(', ')}`;

/** Returns the status line for an event; `null` if it needs none. */
function lineOf(event: CopilotChatEvent): string | null {
  switch (event.event) {
    case 'start':
      return event.data.degraded
        ? `assay: no model is available${event.data.reason === null ? '' : `: ${event.data.reason}`}`
        : `assay: model ${event.data.model}${withheldText(event.data.withheld)}`;
    case 'tool_call':
      return shorten(`  → ${event.data.tool} ${JSON.stringify(event.data.arguments)}`);
    case 'tool_result':
      return `  ← ${event.data.tool} ${resultOf(event.data.result)}`;
    case 'usage': {
      const { prompt_tokens, completion_tokens, cost_usd } = event.data;
      return `  ${prompt_tokens} + ${completion_tokens} tokens, $${cost_usd}`;
    }
    case 'error':
      return `assay: ${event.data.message} (${event.data.code})`;
    case 'done':
      return event.data.stop_reason === 'complete' ? null : `assay: stopped: ${event.data.stop_reason}`;
    default:
      return null;
  }
}

type Result = Extract<CopilotChatEvent, { event: 'tool_result' }>['data']['result'];

function resultOf(result: Result): string {
  if (result.status === 'error') return `${result.error.code}: ${result.error.message}`;
  return result.status === 'ok' ? 'done' : 'needs your approval';
}

const shorten = (line: string): string =>
  line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
