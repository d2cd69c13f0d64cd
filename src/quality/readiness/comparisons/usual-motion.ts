import type { Finding } from '#core/episode';
import { codeTitle, comparisonTitles } from '#core/titles';
import {
  type MotionAspect,
  measureMotions,
  motionAspects,
  traitOf,
} from '../checks/shared/motion-aspects.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { computeMedian } from '../features/numeric.ts';
import { formatEpisodeList, groupBy } from './shared/comparison-rows.ts';

/**
 * Streams whose motion was measured and their anomalies (`signal_chatter action`), one per line: `traits`
 * lower the score, `flagged` are those that raise a flag; and per stream its noise level and the bends of its
 * alternations and leaps, 0 if there are none.
 */
export type TraitRow = {
  readonly streams: string;
  readonly traits: string;
  readonly flagged: string;
  readonly tremors: readonly number[];
  readonly alternations: readonly number[];
  readonly leaps: readonly number[];
};

type Note = { readonly traits: readonly string[] };

const minEpisodes = 3;
/** Minimum fraction of episodes that share a trait for it to be usual in the dataset. */
const minUsualShare = 1 / 3;
/** Maximum ratio of a bend to the usual noise of the dataset for it to count as noise. */
const maxNoiseRatio = 4;
/** Score below which an aspect is a flag: the middle of each ramp of the motion check. */
const flagThreshold = 0.5;
/**
 * Flags that may result from how a robot is driven, simulated or recorded. A state that repeats exactly never
 * does.
 */
const excusableFlags: ReadonlySet<string> = new Set([
  'action_frozen',
  'signal_still',
  'joint_stuck',
  'signal_jump',
  'signal_saturated',
  'signal_chatter',
]);

export const usualMotion = defineComparison<TraitRow>({
  id: 'usual_motion',
  title: comparisonTitles.usual_motion,
  about:
    'Repeated or step-wise commands, sample-to-sample noise, jumps, limits and resting joints that at least a third of the episodes with the same streams show in a stream result from how the robot was controlled, simulated or recorded. They are reported once for the dataset and not counted against any episode. Chatter and jumps of up to four times the median of the dataset count as noise.',
  judged_by: ['kinematic_sanity'],
  collect(subject) {
    const motions = measureMotions(subject);
    if (motions.length === 0) return null;
    const odd = motionAspects(motions).filter(({ flag }) => excusableFlags.has(flag));
    return {
      streams: motions.map(({ stream }) => stream).join('\n'),
      traits: joinTraits(odd),
      flagged: joinTraits(odd.filter(({ score }) => score < flagThreshold)),
      tremors: motions.map(({ tremor }) => tremor),
      alternations: motions.map(({ chatter }) => chatter?.bend ?? 0),
      leaps: motions.map(({ jump, spikes }) => Math.max(jump?.bend ?? 0, spikes?.bend ?? 0)),
    };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    const findings: Finding[] = [];
    for (const group of groupBy(rows, (row) => row.streams).values()) concludeGroup(group, notes, findings);
    return { findings, notes };
  },
});

const joinTraits = (aspects: readonly MotionAspect[]): string =>
  [...new Set(aspects.map(traitOf))].sort().join('\n');

function concludeGroup(
  group: readonly ComparisonRow<TraitRow>[],
  notes: Map<string, Note>,
  findings: Finding[],
) {
  if (group.length < minEpisodes) return;
  const holders = new Map<string, string[]>();
  for (const { episode, row } of group)
    for (const trait of splitLines(row.flagged)) holders.set(trait, [...(holders.get(trait) ?? []), episode]);
  const usual = new Set<string>();
  for (const [trait, episodes] of holders) {
    if (episodes.length < minUsualShare * group.length || episodes.length < 2) continue;
    usual.add(trait);
    findings.push(createFinding(trait, episodes, group.length));
  }
  const tremors = splitLines(group[0].row.streams).map((_, i) =>
    computeMedian(group.map(({ row }) => row.tremors[i])),
  );
  for (const { episode, row } of group) {
    const noise = findNoiseTraits(row, tremors);
    const traits = splitLines(row.traits).filter((trait) => usual.has(trait) || noise.has(trait));
    if (traits.length > 0) notes.set(episode, { traits });
  }
}

/** Returns the traits that are no stronger than the noise of the stream in the other episodes. */
function findNoiseTraits(
  { streams, alternations, leaps }: TraitRow,
  tremors: readonly number[],
): Set<string> {
  const noise = new Set<string>();
  const isNoise = (bend: number, i: number) => bend > 0 && bend <= maxNoiseRatio * tremors[i];
  for (const [i, stream] of splitLines(streams).entries()) {
    if (isNoise(alternations[i], i)) noise.add(`signal_chatter ${stream}`);
    if (isNoise(leaps[i], i)) noise.add(`signal_jump ${stream}`);
  }
  return noise;
}

const splitLines = (lines: string): string[] => (lines === '' ? [] : lines.split('\n'));

function createFinding(trait: string, episodes: readonly string[], all: number): Finding {
  const [flag] = trait.split(' ', 1);
  const stream = trait.slice(flag.length + 1);
  return {
    code: 'motion_usual',
    severity: 'info',
    path: null,
    message: `${stream}: ${codeTitle(flag)} occurs in ${episodes.length} of ${all} episodes and was not counted against them: it seems to be typical of this dataset (${formatEpisodeList(episodes)})`,
    advice:
      'No action needed if the robot is controlled or simulated this way; otherwise fix the whole dataset.',
    evidence: { episodes: episodes.slice(0, 50), flag, stream },
  };
}
