import { significant } from '#core';
import { episodesOfThat, groupBy, someOf } from '../comparing/compared-signals.ts';
import { medianOf } from '../comparing/robust.ts';
import { defineComparison } from '../comparison.ts';
import { keepsToEnds } from '../features/gripper-signals.ts';

/** Of each gripper where it is, its unit and the value that means open; and the largest of its values, 0 where it rests. */
export type ConventionRow = { readonly grippers: string; readonly reach: readonly number[] };

type Note = { readonly own: string; readonly usual: string };

export const conventionMix = defineComparison<ConventionRow>({
  id: 'convention_mix',
  title: 'Mixed gripper conventions',
  about:
    'Unit and value that means open of every gripper against those of most episodes; and its largest value against the median of the set: over eight times that, or under a twentieth of it and near the end of a usual scale (1, 100, 255, 1000), is another scale.',
  judged_by: ['gripper_consistency'],
  raises: {
    check: 'gripper_consistency',
    flags: [
      {
        code: 'gripper_convention_differs',
        severity: 'warning',
        meaning: 'The gripper is recorded on another scale or with the other polarity than in most episodes.',
        advice: 'Bring all grippers to one scale and one polarity before training on them together.',
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
      const most = Math.max(Math.abs(range_observed[0]), Math.abs(range_observed[1]));
      const own = episode.streams.find(({ id }) => id === stream);
      const range = range_observed[1] - range_observed[0];
      // On a small scale only where it is used: at rest it shows no more of 0..100 than of 0..1.
      const used =
        most > smallScale ||
        range >= leastUsed ||
        (own !== undefined &&
          (keepsToEnds(own, dimension, range_observed) ||
            features.of(own).columns.step_rms[dimension] <= smoothest * range));
      const moves = range >= leastMoved * most && used;
      reach.push(moves ? significant(most, 4) : 0);
    }
    return { grippers: lines.join('; '), reach };
  },
  conclude(rows) {
    const groups = [...groupBy(rows, (row) => row.grippers).values()].sort((a, b) => b.length - a.length);
    const notes = new Map<string, Note>();
    if (groups.length === 0) return { findings: [], notes };
    const usual = groups[0][0].row.grippers;
    const usualReach = groups[0][0].row.reach.map((_, g) =>
      medianOf(groups[0].map(({ row }) => row.reach[g]).filter((reach) => reach > 0)),
    );
    const others = groups.slice(1).flat();
    for (const { episode, row } of others) notes.set(episode, { own: row.grippers, usual });
    for (const entry of groups[0]) {
      const g = entry.row.reach.findIndex((reach, at) => isOtherScale(reach, usualReach[at]));
      if (g < 0) continue;
      others.push(entry);
      const told = entry.row.grippers.split('; ')[g];
      notes.set(entry.episode, {
        own: `${told}, values up to ${entry.row.reach[g]}`,
        usual: `values up to ${significant(usualReach[g], 3)}`,
      });
    }
    if (others.length === 0) return { findings: [], notes };
    const [first] = notes.values();
    const finding = {
      code: 'gripper_conventions_mixed',
      severity: 'warning' as const,
      path: null,
      message: `${episodesOfThat(others.length, rows.length, 'has', 'have')} another gripper convention than most (${first.own} against ${first.usual}): ${someOf(others.map(({ episode }) => episode))}`,
      advice: 'Bring all grippers to one scale and one polarity before training on them together.',
      evidence: { episodes: others.slice(0, 50).map(({ episode }) => episode) },
    };
    return { findings: [finding], notes };
  },
});

const smallScale = 4;
const leastUsed = 0.3;
/** Noise leaps through its whole range within a few rows; what is driven takes its time. */
const smoothest = 0.08;
/** A gripper that rests tells no scale: the share of its largest value that it must move by. */
const leastMoved = 0.5;
/** Beyond what the set uses a scale is another. */
const beyond = 8;
/** A gripper may open little; one that uses another scale in full, and far less than the set, is on that scale. */
const within = 20;
/** So much less is no opening of a gripper. */
const sureOf = 150;
const fullScales = [1, 100, 255, 1000] as const;

/** The set's own range decides, not what grippers usually have. */
function isOtherScale(reach: number, usual: number): boolean {
  if (!(reach > 0 && usual > 0)) return false;
  if (reach > beyond * usual) return true;
  if (reach * within > usual) return false;
  return reach * sureOf < usual || fullScales.some((scale) => reach <= 1.05 * scale && reach >= 0.6 * scale);
}
