import { significant } from '#core';
import { comparisonTitles } from '#core/titles';
import { defineComparison } from '../comparison.ts';
import { staysAtEnds } from '../features/gripper-signals.ts';
import { computeMedian } from '../features/numeric.ts';
import { formatEpisodeList, formatEpisodeShare, groupBy } from './shared/comparison-rows.ts';

/** Per gripper: dimension, unit and open value as text; and its largest absolute value, 0 if it rests. */
export type ConventionRow = { readonly grippers: string; readonly reach: readonly number[] };

type Note = { readonly own: string; readonly usual: string };

export const conventionMix = defineComparison<ConventionRow>({
  id: 'convention_mix',
  title: comparisonTitles.convention_mix,
  about:
    'Compares the unit and the open value of every gripper with most other episodes, and its largest value with the median of the dataset: more than eight times the median, or less than a twentieth of it and close to the end of a common scale (1, 100, 255, 1000), means another scale.',
  judged_by: ['gripper_consistency'],
  raises: {
    check: 'gripper_consistency',
    flags: [
      {
        code: 'gripper_convention_differs',
        severity: 'warning',
        meaning: 'The gripper scale or polarity differs from most other episodes.',
        advice: 'Convert all grippers to one scale and polarity before training on them together.',
      },
    ],
    judge: (note) => [
      {
        flag: 'gripper_convention_differs',
        score: 0.3,
        observed: 1,
        message: () => `${String(note.own)}; most episodes have ${String(note.usual)}`,
      },
    ],
  },
  collect({ episode, features }) {
    if (episode.grippers.length === 0) return null;
    const lines: string[] = [];
    const reach: number[] = [];
    for (const { stream, dimension, unit, open_value, range_observed } of episode.grippers) {
      lines.push(`${stream}[${dimension}] unit ${unit}, open ${open_value ?? 'unknown'}`);
      const magnitude = Math.max(Math.abs(range_observed[0]), Math.abs(range_observed[1]));
      const gripperStream = episode.streams.find(({ id }) => id === stream);
      const range = range_observed[1] - range_observed[0];
      // Small values show the scale only if the gripper is used; at rest 0..100 looks like 0..1.
      const used =
        magnitude > maxSmallScale ||
        range >= minUsedRange ||
        (gripperStream !== undefined &&
          (staysAtEnds(gripperStream, dimension, range_observed) ||
            features.forStream(gripperStream).columns.step_rms[dimension] <= maxStepFraction * range));
      const moves = range >= minMovedFraction * magnitude && used;
      reach.push(moves ? significant(magnitude, 4) : 0);
    }
    return { grippers: lines.join('; '), reach };
  },
  conclude(rows) {
    const groups = [...groupBy(rows, (row) => row.grippers).values()].sort((a, b) => b.length - a.length);
    const notes = new Map<string, Note>();
    if (groups.length === 0) return { findings: [], notes };
    const usual = groups[0][0].row.grippers;
    const usualReach = groups[0][0].row.reach.map((_, g) =>
      computeMedian(groups[0].map(({ row }) => row.reach[g]).filter((reach) => reach > 0)),
    );
    const others = groups.slice(1).flat();
    for (const { episode, row } of others) notes.set(episode, { own: row.grippers, usual });
    for (const entry of groups[0]) {
      const g = entry.row.reach.findIndex((reach, at) => isOtherScale(reach, usualReach[at]));
      if (g < 0) continue;
      others.push(entry);
      const ownConvention = entry.row.grippers.split('; ')[g];
      notes.set(entry.episode, {
        own: `${ownConvention}, values up to ${entry.row.reach[g]}`,
        usual: `values up to ${significant(usualReach[g], 3)}`,
      });
    }
    if (others.length === 0) return { findings: [], notes };
    const [first] = notes.values();
    const finding = {
      code: 'gripper_conventions_mixed',
      severity: 'warning' as const,
      path: null,
      message: `${formatEpisodeShare(others.length, rows.length, 'has', 'have')} a different gripper convention than most (${first.own} instead of ${first.usual}): ${formatEpisodeList(others.map(({ episode }) => episode))}`,
      advice: 'Convert all grippers to one scale and polarity before training on them together.',
      evidence: { episodes: others.slice(0, 50).map(({ episode }) => episode) },
    };
    return { findings: [finding], notes };
  },
});

const maxSmallScale = 4;
const minUsedRange = 0.3;
/**
 * Maximum root-mean-square step as a fraction of the range; noise crosses its whole range within a few rows,
 * driven motion does not.
 */
const maxStepFraction = 0.08;
/** Minimum range as a fraction of the largest value; a resting gripper shows no scale. */
const minMovedFraction = 0.5;
/** Ratio to the dataset's usual reach above which a gripper is on another scale. */
const maxScaleRatio = 8;
/**
 * Ratio below the usual reach from which a gripper is on another scale, if it uses that scale in full; a
 * gripper may open only a little.
 */
const minFullScaleRatio = 20;
/** Ratio below the usual reach from which a gripper is on another scale in any case. */
const certainScaleRatio = 150;
const fullScales = [1, 100, 255, 1000] as const;

/** Returns `true` if a gripper's reach is on another scale than is usual in the dataset; 0 means unknown. */
function isOtherScale(reach: number, usual: number): boolean {
  if (!(reach > 0 && usual > 0)) return false;
  if (reach > maxScaleRatio * usual) return true;
  if (reach * minFullScaleRatio > usual) return false;
  return (
    reach * certainScaleRatio < usual ||
    fullScales.some((scale) => reach <= 1.05 * scale && reach >= 0.6 * scale)
  );
}
