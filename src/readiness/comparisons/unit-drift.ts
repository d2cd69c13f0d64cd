import { significant } from '#kernel';
import { comparedStreams, groupBy, layoutOf, placeIn, someOf } from '../compared-signals.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { columnOf, medianOf, spreadOf } from '../robust.ts';

/** Largest absolute value of every dimension of state and action. */
export type ScaleRow = { readonly layout: string; readonly scale: readonly number[] };

type Note = {
  readonly stream: string;
  readonly dimension: number;
  /** Scale of this episode over that of its peers. */
  readonly factor: number;
  readonly meaning: string;
  /** Dimensions of the episode that drifted by that factor. */
  readonly dimensions: number;
};

const fewest = 4;
const factors: readonly (readonly [factor: number, meaning: string])[] = [
  [180 / Math.PI, 'degrees among radians'],
  [Math.PI / 180, 'radians among degrees'],
  [1000, 'millimetres among metres'],
  [0.001, 'metres among millimetres'],
  [100, 'per cent or centimetres among ones'],
  [0.01, 'ones among per cent or centimetres'],
];
/** Motions differ in how far they reach; a unit differs by a factor whatever the motion. */
const tolerance = 1.35;

export const unitDrift = defineComparison<ScaleRow>({
  id: 'unit_drift',
  title: 'Unit drift',
  about:
    'Per dimension, the largest absolute value against the median over the episodes of the same layout: a factor within 35 % of 180/π, 1000 or 100 (or their inverses), far outside the peers’ own spread, is another unit.',
  judged_by: ['kinematic_sanity'],
  raises: {
    check: 'kinematic_sanity',
    flags: [
      {
        code: 'unit_drift',
        severity: 'blocking',
        meaning: 'The numbers of the episode are in another unit than those of the other episodes.',
        advice: 'Convert the episode to the unit of the dataset before training on both.',
      },
    ],
    judge: (note) => [
      {
        flag: 'unit_drift',
        score: 0,
        observed: Number(note.factor),
        message: () =>
          `${String(note.stream)} dimension ${Number(note.dimension)} and ${Number(note.dimensions) - 1} more are ${Number(note.factor)} times those of the other episodes: ${String(note.meaning)}`,
      },
    ],
  },
  collect(subject) {
    const streams = [...comparedStreams(subject, 'state'), ...comparedStreams(subject, 'action')];
    if (streams.length === 0) return null;
    const scale: number[] = [];
    for (const stream of streams) {
      const own = subject.features.of(stream);
      for (let d = 0; d < own.dims; d++)
        scale.push(significant(Math.max(Math.abs(own.minimum[d]), Math.abs(own.maximum[d])), 3));
    }
    return { layout: layoutOf(streams), scale };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.layout).values()) concludeGroup(group, notes);
    if (notes.size === 0) return { findings: [], notes };
    const episodes = [...notes.keys()];
    const [first] = notes.values();
    return {
      findings: [
        {
          code: 'unit_drift',
          severity: 'error',
          path: null,
          message: `${episodes.length} episodes are in other units than the rest (${first.meaning}, factor ${first.factor}): ${someOf(episodes)}`,
          advice: 'Bring all episodes to one unit before training on them together.',
          evidence: { episodes: episodes.slice(0, 50) },
        },
      ],
      notes,
    };
  },
});

function concludeGroup(group: readonly ComparedRow<ScaleRow>[], notes: Map<string, Note>): void {
  if (group.length < fewest) return;
  const scales = group.map(({ row }) => row.scale.map((scale) => Math.log(Math.max(scale, 1e-12))));
  for (let d = 0; d < scales[0].length; d++) {
    const column = columnOf(scales, d);
    const middle = medianOf(column);
    if (middle < Math.log(1e-6)) continue;
    const own = Math.max(spreadOf(column, middle), 0.05);
    for (let i = 0; i < column.length; i++) {
      const difference = column[i] - middle;
      if (Math.abs(difference) < 6 * own) continue;
      const match = factors.find(([factor]) => Math.abs(difference - Math.log(factor)) < Math.log(tolerance));
      if (match === undefined) continue;
      const { episode } = group[i];
      const known = notes.get(episode);
      notes.set(
        episode,
        known === undefined
          ? {
              ...placeIn(group[0].row.layout, d),
              dimensions: 1,
              factor: significant(Math.exp(difference), 3),
              meaning: match[1],
            }
          : { ...known, dimensions: known.dimensions + 1 },
      );
    }
  }
}
