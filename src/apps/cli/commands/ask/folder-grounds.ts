import { type AssessmentResult, assess, type EpisodeVerdict, worstFirst } from '#engine/local';
import { changesBetween, type Grounds, type Sentence } from '#service/copilot/ask';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { printableName } from '../../printable.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { withRecordings } from '../../with-recordings.ts';
import { earlierAssessment } from './earlier-assessment.ts';

export interface FolderArguments extends WorkArguments {
  /** What `assay assess --out` wrote before. */
  readonly since?: string;
}

const worstKept = 20;

/** Assesses what lies at a path, and gives what questions on it are answered from. */
export async function folderGrounds(
  path: string,
  args: FolderArguments,
  io: Io,
  launcher: Launcher,
): Promise<Grounds> {
  const earlier = args.since === undefined ? null : await earlierAssessment(args.since);
  return withRecordings(path, {}, io, launcher, async ({ recordings }) => {
    const progress = createProgressLine(io, path);
    const hooks = { signal: io.signal, onProgress: progress.show, onWarning: progress.say };
    const result = await assess(recordings, assessOptionsOf(args), hooks).finally(() => progress.end());
    try {
      return groundsOf(path, result, earlier);
    } finally {
      await result.close();
    }
  });
}

type Earlier = Awaited<ReturnType<typeof earlierAssessment>>;

function groundsOf(path: string, result: AssessmentResult, earlier: Earlier | null): Grounds {
  const name = printableName(path);
  const of = { path };
  const { verdicts, decisions } = result;
  const several = result.datasets.length > 1;
  const scores = verdicts.flatMap(({ score }) => (score === null ? [] : [score])).sort((a, b) => a - b);
  return {
    ...{ name, of, episodes: verdicts.length, decisions },
    median_score: medianOf(scores),
    flags: flagsOf(verdicts),
    faults: faultsOf(result),
    worst: verdicts
      .toSorted(worstFirst)
      .slice(0, worstKept)
      .map(({ id, dataset, score, decision, flags }) => ({
        id: several ? `${result.datasets[dataset].path}/${id}` : id,
        ...{ score, decision, flags: [...new Set(flags.map(({ code }) => code))] },
      })),
    target: {
      text: `Readiness for a target is not assessable: a folder names none. \`assay certify ${name} --target TARGET\` holds it against one.`,
      evidence: { ...of, target_profile: null },
    },
    whatChanged: async () => [changeSince(of, result, earlier)],
    whatItCost: async () => [
      {
        text: 'Nothing was charged: a folder is assessed on this machine, and no service meters it.',
        evidence: { ...of, amount_usd: 0, charges: 0 },
      },
    ],
    next: nextOf(name, of, result),
  };
}

/** Of scores in their order, to six digits. */
function medianOf(scores: readonly number[]): number | null {
  if (scores.length === 0) return null;
  const middle = (scores[(scores.length - 1) >> 1] + scores[scores.length >> 1]) / 2;
  return Number(middle.toPrecision(6));
}

function flagsOf(verdicts: readonly EpisodeVerdict[]): Grounds['flags'] {
  const counts = new Map<string, number>();
  for (const { flags } of verdicts)
    for (const code of new Set(flags.map(({ code }) => code))) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .map(([value, episodes]) => ({ value, episodes }))
    .sort((a, b) => b.episodes - a.episodes || (a.value < b.value ? -1 : 1));
}

const severities: readonly string[] = ['blocking', 'error'];

function faultsOf(result: AssessmentResult): Grounds['faults'] {
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
      text: 'What changed is not assessable: there is nothing earlier to compare with. `--since DIR` names what `assay assess PATH --out DIR` wrote before.',
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
    text: `${change.text} The settings differ, so the judgements are not of the same rules.`,
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
          text: `Next: \`assay assess ${name} --out DIR\` shows what is wrong with each of ${open}.`,
          evidence: { ...of, rejected: decisions.reject, to_review: decisions.review },
        }
      : { text: `Next: \`assay export ${name} --out DIR\` writes them as one set.`, evidence: { ...of } },
  ];
}
