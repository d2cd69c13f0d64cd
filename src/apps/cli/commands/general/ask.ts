import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError, wrapReadError } from '#core';
import { assessmentSchema } from '#core/api';
import { type AssessmentResult, assess, type EpisodeVerdict, worstFirst } from '#engine/local';
import {
  type AnswerFacts,
  answerQuestion,
  changesBetween,
  questionShapes,
  type Sentence,
} from '#service/copilot/ask';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf, reachService, type ServiceArguments } from '../../service-client.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { count, printableName, wrap } from '../../text.ts';
import { withRecordings } from '../../with-recordings.ts';

export interface AskArguments extends ServiceArguments, FolderArguments {
  /** Project of a running service to ask about, instead of a path. */
  readonly project?: string;
  readonly json?: boolean;
}

interface Answer {
  readonly shape: string | null;
  readonly sentences: readonly Sentence[];
  readonly questions: readonly { readonly id: string; readonly example: string }[];
}

/** Runs `assay ask PATH QUESTION` or `assay ask --project P QUESTION`. Returns 0. */
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
): Promise<Answer> {
  const question = questionOf(words, 'assay ask data/pick-place "What blocks readiness?"');
  const grounds = await assessFolderFacts(path, args, io, launcher);
  const { shape, sentences } = await answerQuestion(grounds, question);
  const questions = questionShapes.map(({ id, example }) => ({ id, example }));
  return { ...{ path, question, shape }, sentences, questions };
}

async function askProject(words: readonly string[], args: AskArguments, launcher: Launcher): Promise<Answer> {
  if (args.since !== undefined)
    throw new AssayError('usage', '--since works with a folder only; a project stores its earlier runs', {
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
  throw new AssayError('usage', 'no question given', { advice: `for example: ${example}` });
}

function render({ shape, sentences, questions }: Answer, columns: number): string {
  const paragraphs = sentences.map(({ text }) =>
    wrap(text, columns - 4, '  ')
      .join('\n')
      .replace(/^ {2}/, '- '),
  );
  if (shape !== null) return `${paragraphs.join('\n')}\n`;
  const others = questions.map(({ example }) => example).join(' ');
  return `${[...paragraphs, '', ...wrap(`You can ask: ${others}`, columns, '')].join('\n')}\n`;
}

interface FolderArguments extends WorkArguments {
  /** Output folder of an earlier `assay assess --out`, to compare with. */
  readonly since?: string;
}

const maxWorstEpisodes = 20;

/** Assesses the recordings at a path and returns the facts that questions are answered from. */
async function assessFolderFacts(
  path: string,
  args: FolderArguments,
  io: Io,
  launcher: Launcher,
): Promise<AnswerFacts> {
  const earlier = args.since === undefined ? null : await readEarlierAssessment(args.since);
  return withRecordings(path, {}, io, launcher, async ({ recordings }) => {
    const progress = createProgressLine(io, path);
    const hooks = { signal: io.signal, onProgress: progress.show, onWarning: progress.say };
    const result = await assess(recordings, assessOptionsOf(args), hooks).finally(() => progress.end());
    try {
      return answerFacts(path, result, earlier);
    } finally {
      await result.close();
    }
  });
}

type Earlier = Awaited<ReturnType<typeof readEarlierAssessment>>;

function answerFacts(path: string, result: AssessmentResult, earlier: Earlier | null): AnswerFacts {
  const name = printableName(path);
  const of = { path };
  const { verdicts, decisions } = result;
  const several = result.datasets.length > 1;
  const scores = verdicts.flatMap(({ score }) => (score === null ? [] : [score])).sort((a, b) => a - b);
  return {
    ...{ name, of, episodes: verdicts.length, decisions },
    median_score: computeMedian(scores),
    flags: countFlags(verdicts),
    faults: faultsOf(result),
    worst: verdicts
      .toSorted(worstFirst)
      .slice(0, maxWorstEpisodes)
      .map(({ id, dataset, score, decision, flags }) => {
        const name = several ? `${result.datasets[dataset].path}/${id}` : id;
        const codes = [...new Set(flags.map(({ code }) => code))];
        return { id: name, name, score, decision, flags: codes };
      }),
    target: {
      text: `Readiness cannot be assessed, because no training target is set for a folder. Choose one with \`assay certify ${name} --target TARGET --out DIR\`.`,
      evidence: { ...of, target_profile: null },
    },
    whatChanged: async () => [changeSince(of, result, earlier)],
    whatItCost: async () => [
      {
        text: 'Nothing was charged: the folder was assessed on this machine.',
        evidence: { ...of, amount_usd: 0, charges: 0 },
      },
    ],
    next: nextOf(name, of, result),
  };
}

/** Returns the median of ascending scores, rounded to six significant digits; `null` if there are none. */
function computeMedian(scores: readonly number[]): number | null {
  if (scores.length === 0) return null;
  const middle = (scores[(scores.length - 1) >> 1] + scores[scores.length >> 1]) / 2;
  return Number(middle.toPrecision(6));
}

function countFlags(verdicts: readonly EpisodeVerdict[]): AnswerFacts['flags'] {
  const counts = new Map<string, number>();
  for (const { flags } of verdicts)
    for (const code of new Set(flags.map(({ code }) => code))) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .map(([value, episodes]) => ({ value, episodes }))
    .sort((a, b) => b.episodes - a.episodes || (a.value < b.value ? -1 : 1));
}

const severities: readonly string[] = ['blocking', 'error'];

function faultsOf(result: AssessmentResult): AnswerFacts['faults'] {
  const { findings } = result.summary();
  return severities.flatMap((severity) => {
    const groups = Map.groupBy(
      findings.filter((finding) => finding.severity === severity),
      ({ code }) => code,
    );
    return [...groups.values()].map((same) => {
      const [{ code, advice, path }] = same;
      return { code, severity, advice, at: { path, findings: same.length } };
    });
  });
}

function changeSince(of: Sentence['evidence'], result: AssessmentResult, earlier: Earlier | null): Sentence {
  if (earlier === null)
    return {
      text: 'There is no earlier assessment to compare with. Pass the output folder of an earlier `assay assess PATH --out DIR` as `--since DIR`.',
      evidence: { ...of, earlier: null },
    };
  const { decisions, verdicts } = result;
  const change = changesBetween({
    before: earlier,
    after: { episodes: verdicts.length, decisions },
    ...{
      since: `the assessment in ${printableName(earlier.place)}`,
      evidence: { ...of, earlier: earlier.place },
    },
  });
  if (earlier.settings.hash === result.settings.hash) return change;
  return {
    ...change,
    text: `${change.text} The settings of the two assessments differ, so their decisions are not directly comparable.`,
  };
}

function nextOf(
  name: string,
  of: Sentence['evidence'],
  { decisions, verdicts }: AssessmentResult,
): readonly Sentence[] {
  if (verdicts.length === 0) return [];
  const open = decisions.reject + decisions.review;
  return [
    open > 0
      ? {
          text: `Next: \`assay assess ${name} --out DIR\` writes a report that explains why ${count(open, 'episode')} ${open === 1 ? 'was' : 'were'} not accepted.`,
          evidence: { ...of, rejected: decisions.reject, to_review: decisions.review },
        }
      : {
          text: `Next: \`assay export ${name} --out DIR\` exports the accepted episodes.`,
          evidence: { ...of },
        },
  ];
}

const { episodes, decisions, settings } = assessmentSchema.shape.dataset.shape;
const fileSchema = z.object({ dataset: z.object({ episodes, decisions, settings }) });

/**
 * Reads the dataset summary that `assay assess PATH --out DIR` wrote. Throws `not_found` if it is missing,
 * `unreadable_input` if it is something else.
 */
async function readEarlierAssessment(place: string) {
  const file = join(place, 'assessment.json');
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
    throw wrapReadError(thrown, file);
  });
  const { dataset } = read(text, file);
  return { ...dataset, place };
}

function read(text: string, file: string) {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AssayError('unreadable_input', `${file} was not written by assay assess --out`, {
      ...{ path: file, cause },
      advice: 'pass the folder that --out named in that run',
    });
  }
}
