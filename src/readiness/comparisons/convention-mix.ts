import { episodesOfThat, groupBy, someOf } from '../compared-signals.ts';
import { defineComparison } from '../comparison.ts';

/** One line a gripper: where it is, its unit, the value that means open, the order of its range. */
export type ConventionRow = { readonly grippers: string };

type Note = { readonly own: string; readonly usual: string };

export const conventionMix = defineComparison<ConventionRow>({
  id: 'convention_mix',
  title: 'Mixed gripper conventions',
  about:
    'Unit, value that means open, and scale (0..1, 0..100, 0..255) of every gripper against those of most episodes.',
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
  collect({ episode }) {
    if (episode.grippers.length === 0) return null;
    const lines = episode.grippers.map(
      ({ stream, dimension, unit, open_value, range_observed }) =>
        `${stream}[${dimension}] unit ${unit}, open ${open_value ?? 'unknown'}, scale ${scaleOf(range_observed)}`,
    );
    return { grippers: lines.join('; ') };
  },
  conclude(rows) {
    const groups = [...groupBy(rows, (row) => row.grippers).values()].sort((a, b) => b.length - a.length);
    const notes = new Map<string, Note>();
    if (groups.length < 2) return { findings: [], notes };
    const usual = groups[0][0].row.grippers;
    const others = groups.slice(1).flat();
    for (const { episode, row } of others) notes.set(episode, { own: row.grippers, usual });
    const finding = {
      code: 'gripper_conventions_mixed',
      severity: 'warning' as const,
      path: null,
      message: `${episodesOfThat(others.length, rows.length, 'has', 'have')} another gripper convention than most (${others[0].row.grippers} against ${usual}): ${someOf(others.map(({ episode }) => episode))}`,
      advice: 'Bring all grippers to one scale and one polarity before training on them together.',
      evidence: { episodes: others.slice(0, 50).map(({ episode }) => episode) },
    };
    return { findings: [finding], notes };
  },
});

/** The usual scales of grippers; the range that an episode happens to use must not tell two of them apart. */
function scaleOf([low, high]: readonly [number, number]): string {
  const reach = Math.max(Math.abs(low), Math.abs(high));
  if (reach <= 0.2) return 'metres or radians below 0.2';
  if (reach <= 4) return 'up to 4';
  return reach <= 130 ? 'up to 100' : 'above 100';
}
