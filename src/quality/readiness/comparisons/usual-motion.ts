import type { Finding } from '#core/episode';
import { type MotionAspect, motionAspects, traitOf } from '../checks/motion/traits.ts';
import { groupBy, someOf } from '../comparing/compared-signals.ts';
import { medianOf } from '../comparing/robust.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { motionsOf } from '../language/motions.ts';

/**
 * The streams whose motion was looked at, and what was odd in it (`signal_chatter action`), one a line: all that costs
 * score, and of it what is a flag; how noisy each stream is, and how far the alternations and the leaps that were found in
 * it bend, 0 without.
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

const fewest = 3;
/** A trait that so many episodes share is how the set is made. */
const usualShare = 1 / 3;
/** Alternations and leaps that bend by at most so many times the usual noise of the set are that noise. */
const noisy = 4;
/** An aspect below is a flag: the middle of each ramp of the motion check. */
const flagged = 0.5;
/** What may belong to how a robot is driven, simulated or recorded. A state that repeats exactly never does. */
const excusable: ReadonlySet<string> = new Set([
  'action_frozen',
  'signal_still',
  'joint_stuck',
  'signal_jump',
  'signal_saturated',
  'signal_chatter',
]);

export const usualMotion = defineComparison<TraitRow>({
  id: 'usual_motion',
  title: 'Motion that is usual in the set',
  about:
    'Commands that repeat or step, noise from sample to sample, leaps, limits and joints at rest that at least a third of the episodes with the same streams show in one stream are how the set was driven, simulated or recorded: said once of the set, and held against no episode, weaker ones neither. Nor are alternations and leaps that bend by no more than four times what the same stream bends by in the middle episode: that is its noise.',
  judged_by: ['kinematic_sanity'],
  collect(subject) {
    const motions = motionsOf(subject);
    if (motions.length === 0) return null;
    const odd = motionAspects(motions).filter(({ flag }) => excusable.has(flag));
    return {
      streams: motions.map(({ stream }) => stream).join('\n'),
      traits: traitLines(odd),
      flagged: traitLines(odd.filter(({ score }) => score < flagged)),
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

const traitLines = (aspects: readonly MotionAspect[]): string =>
  [...new Set(aspects.map(traitOf))].sort().join('\n');

function concludeGroup(
  group: readonly ComparedRow<TraitRow>[],
  notes: Map<string, Note>,
  findings: Finding[],
) {
  if (group.length < fewest) return;
  const holders = new Map<string, string[]>();
  for (const { episode, row } of group)
    for (const trait of linesOf(row.flagged)) holders.set(trait, [...(holders.get(trait) ?? []), episode]);
  const usual = new Set<string>();
  for (const [trait, episodes] of holders) {
    if (episodes.length < usualShare * group.length || episodes.length < 2) continue;
    usual.add(trait);
    findings.push(findingOf(trait, episodes, group.length));
  }
  const tremors = linesOf(group[0].row.streams).map((_, i) =>
    medianOf(group.map(({ row }) => row.tremors[i])),
  );
  for (const { episode, row } of group) {
    const noise = noiseTraits(row, tremors);
    const traits = linesOf(row.traits).filter((trait) => usual.has(trait) || noise.has(trait));
    if (traits.length > 0) notes.set(episode, { traits });
  }
}

/** Alternations and leaps no stronger than the noise that the stream has in the other episodes. */
function noiseTraits({ streams, alternations, leaps }: TraitRow, tremors: readonly number[]): Set<string> {
  const noise = new Set<string>();
  const isNoise = (bend: number, i: number) => bend > 0 && bend <= noisy * tremors[i];
  for (const [i, stream] of linesOf(streams).entries()) {
    if (isNoise(alternations[i], i)) noise.add(`signal_chatter ${stream}`);
    if (isNoise(leaps[i], i)) noise.add(`signal_jump ${stream}`);
  }
  return noise;
}

const linesOf = (lines: string): string[] => (lines === '' ? [] : lines.split('\n'));

function findingOf(trait: string, episodes: readonly string[], all: number): Finding {
  const [flag] = trait.split(' ', 1);
  const stream = trait.slice(flag.length + 1);
  return {
    code: 'motion_usual',
    severity: 'info',
    path: null,
    message: `${stream}: ${flag} in ${episodes.length} of ${all} episodes is how this set moves, and was not held against them (${someOf(episodes)})`,
    advice: 'Nothing, if the robot is driven or simulated so; otherwise repair the whole set.',
    evidence: { episodes: episodes.slice(0, 50), flag, stream },
  };
}
