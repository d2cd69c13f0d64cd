import { type ErrorCode, errorCodes } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { type PlaceArguments, reachService } from '../../service-place.ts';
import { type Lines, openLines } from './lines.ts';
import type { Turn } from './take-turn.ts';
import { Talk } from './talk.ts';

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
