import { AssayError } from '#core';
import { answerQuestion, questionShapes, type Sentence } from '#service/copilot/ask';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { type PlaceArguments, reachService } from '../../service-place.ts';
import { wrap } from '../../wrap.ts';
import { type FolderArguments, folderGrounds } from './folder-grounds.ts';

export interface AskArguments extends PlaceArguments, FolderArguments {
  /** At a service: of which project. */
  readonly project?: string;
  readonly json?: boolean;
}

interface Answered {
  readonly shape: string | null;
  readonly sentences: readonly Sentence[];
  readonly questions: readonly { readonly id: string; readonly example: string }[];
}

/** `assay ask PATH QUESTION` or `assay ask --project P QUESTION`. */
export async function askCommand(
  words: readonly string[],
  args: AskArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const answer =
    args.project === undefined ? askFolder(words, args, io, launcher) : askProject(words, args, launcher);
  const answered = await answer;
  await io.out(
    args.json === true ? `${JSON.stringify(answered)}\n` : render(answered, Math.min(io.columns, 120)),
  );
  return 0;
}

async function askFolder(
  [path, ...words]: readonly string[],
  args: AskArguments,
  io: Io,
  launcher: Launcher,
): Promise<Answered> {
  const question = questionOf(words, 'assay ask data/pick-place "What blocks readiness?"');
  const grounds = await folderGrounds(path, args, io, launcher);
  const { shape, sentences } = await answerQuestion(grounds, question);
  const questions = questionShapes.map(({ id, example }) => ({ id, example }));
  return { ...{ path, question, shape }, sentences, questions };
}

async function askProject(
  words: readonly string[],
  args: AskArguments,
  launcher: Launcher,
): Promise<Answered> {
  if (args.since !== undefined)
    throw new AssayError('usage', '--since is of a folder; a project keeps its runs', {
      advice: 'leave it out',
    });
  const question = questionOf(words, 'assay ask --project arms "What changed since the last run?"');
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project ?? '');
  return client.copilot.askProject({ project_id, question });
}

function questionOf(words: readonly string[], example: string): string {
  const question = words.join(' ').trim();
  if (question !== '') return question;
  throw new AssayError('usage', 'there is no question', { advice: example });
}

function render({ shape, sentences, questions }: Answered, columns: number): string {
  const said = sentences.map(({ text }) =>
    wrap(text, columns - 4, '  ')
      .join('\n')
      .replace(/^ {2}/, '- '),
  );
  if (shape !== null) return `${said.join('\n')}\n`;
  const others = questions.map(({ example }) => example).join(' ');
  return `${[...said, '', ...wrap(`What can be asked: ${others}`, columns, '')].join('\n')}\n`;
}
