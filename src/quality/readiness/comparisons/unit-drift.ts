import { significant } from '#core';
import { comparisonTitles } from '#core/titles';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { computeMedian, computeSpread, createTable, extractColumn, type Table } from '../features/numeric.ts';
import {
  describeLayout,
  formatEpisodeCount,
  formatEpisodeList,
  groupBy,
  locateDimension,
  selectComparedStreams,
} from './shared/comparison-rows.ts';

/** Largest absolute value of every dimension of state and action. */
export type ScaleRow = { readonly layout: string; readonly scale: readonly number[] };

type Note = {
  readonly stream: string;
  readonly dimension: number;
  /** Scale of this episode divided by that of the others. */
  readonly factor: number;
  readonly meaning: string;
  /** Number of dimensions that differ by that factor. */
  readonly dimensions: number;
};

const minEpisodes = 4;
const factors: readonly (readonly [factor: number, meaning: string])[] = [
  [180 / Math.PI, 'degrees instead of radians'],
  [Math.PI / 180, 'radians instead of degrees'],
  [1000, 'millimetres instead of metres'],
  [0.001, 'metres instead of millimetres'],
  [100, 'per cent or centimetres instead of fractions or metres'],
  [0.01, 'fractions or metres instead of per cent or centimetres'],
];
/** Tolerance around a unit factor, since motions differ in reach. */
const maxFactorRatio = 1.35;

export const unitDrift = defineComparison<ScaleRow>({
  id: 'unit_drift',
  title: comparisonTitles.unit_drift,
  about:
    'Compares the largest absolute value of each dimension with the median over the episodes with the same layout. A factor within 35 % of 180/π, 1000 or 100 (or their inverses), far outside the spread of the other episodes, in at least half of the dimensions of a stream means another unit.',
  judged_by: ['kinematic_sanity'],
  raises: {
    check: 'kinematic_sanity',
    flags: [
      {
        code: 'unit_drift',
        severity: 'blocking',
        meaning: 'The values are in a different unit than in the other episodes.',
        advice: 'Convert the episode to the unit of the other episodes before training.',
      },
    ],
    judge: (note) => [
      {
        flag: 'unit_drift',
        score: 0,
        observed: Number(note.factor),
        message: () =>
          `${String(note.stream)} dimension ${Number(note.dimension)} and ${Number(note.dimensions) - 1} more are ${Number(note.factor)} times as large as in the other episodes: ${String(note.meaning)}`,
      },
    ],
  },
  collect(subject) {
    const streams = [...selectComparedStreams(subject, 'state'), ...selectComparedStreams(subject, 'action')];
    if (streams.length === 0) return null;
    const scale: number[] = [];
    for (const stream of streams) {
      const statistics = subject.features.forStream(stream);
      for (let d = 0; d < statistics.dims; d++)
        scale.push(
          significant(Math.max(Math.abs(statistics.minimum[d]), Math.abs(statistics.maximum[d])), 3),
        );
    }
    return { layout: describeLayout(streams), scale };
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
          message: `${formatEpisodeCount(episodes.length, 'uses', 'use')} different units than the rest (${first.meaning}, factor ${first.factor}): ${formatEpisodeList(episodes)}`,
          advice: 'Convert all episodes to one unit before training on them together.',
          evidence: { episodes: episodes.slice(0, 50) },
        },
      ],
      notes,
    };
  },
});

function concludeGroup(group: readonly ComparisonRow<ScaleRow>[], notes: Map<string, Note>): void {
  if (group.length < minEpisodes) return;
  const layout = group[0].row.layout;
  const { values, ...size } = createTable(group.map(({ row }) => row.scale));
  const scales = { values: values.map((scale) => Math.log(Math.max(scale, 1e-12))), ...size };
  const middles = group[0].row.scale.map((_, d) => computeMedian(extractColumn(scales, d)));
  const spreads = middles.map((middle, d) => Math.max(computeSpread(extractColumn(scales, d), middle), 0.05));
  const streams = splitDimensionsByStream(layout).map((dimensions) =>
    dimensions.filter((d) => !(middles[d] < Math.log(1e-4) || minSpreads * spreads[d] > minLogFactor)),
  );
  for (let i = 0; i < group.length; i++) {
    for (const dimensions of streams) {
      const note = findDrift(scales, i, middles, spreads, dimensions, layout);
      if (note === null) continue;
      const { episode } = group[i];
      if (note.dimensions > (notes.get(episode)?.dimensions ?? 0)) notes.set(episode, note);
    }
  }
}

/**
 * Finds a unit factor in one stream of an episode. At least half of its dimensions with a scale
 * (`dimensions`) must differ by the same factor. `scales`, `middles` and `spreads` are logarithms over all
 * episodes. `null` if there is none.
 */
function findDrift(
  scales: Table,
  row: number,
  middles: readonly number[],
  spreads: readonly number[],
  dimensions: readonly number[],
  layout: string,
): Note | null {
  let matched: Map<string, number[]> | undefined;
  const differenceIn = (d: number) => scales.values[row * scales.width + d] - middles[d];
  for (const d of dimensions) {
    const difference = differenceIn(d);
    if (Math.abs(difference) < minSpreads * spreads[d]) continue;
    const match = factors.find(
      ([factor]) => Math.abs(difference - Math.log(factor)) < Math.log(maxFactorRatio),
    );
    if (match === undefined) continue;
    matched ??= new Map();
    matched.set(match[1], [...(matched.get(match[1]) ?? []), d]);
  }
  for (const [meaning, at] of matched ?? []) {
    if (at.length * 2 < dimensions.length) continue;
    const factor = Math.exp(computeMedian(at.map(differenceIn)));
    return {
      ...locateDimension(layout, at[0]),
      dimensions: at.length,
      factor: significant(factor, 3),
      meaning,
    };
  }
  return null;
}

/** Logarithm of the smallest factor that is detected. */
const minLogFactor = Math.log(180 / Math.PI / maxFactorRatio);
/** Minimum deviation of a scale, in spreads of the other episodes. */
const minSpreads = 6;

/** Returns the dimension indices of each stream of a layout. */
function splitDimensionsByStream(layout: string): number[][] {
  const streams: number[][] = [];
  let first = 0;
  for (const part of layout.split(',')) {
    const dims = Number(part.slice(part.lastIndexOf(':') + 1));
    streams.push(Array.from({ length: dims }, (_, d) => first + d));
    first += dims;
  }
  return streams;
}
