import { significant } from '#core';
import {
  comparedStreams,
  episodesThat,
  groupBy,
  layoutOf,
  placeIn,
  someOf,
} from '../comparing/compared-signals.ts';
import { columnOf, medianOf, spreadOf, type Table, tableOf } from '../comparing/robust.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';

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
    'Per dimension, the largest absolute value against the median over the episodes of the same layout: a factor within 35 % of 180/π, 1000 or 100 (or their inverses), far outside the peers’ own spread, in at least half of a stream’s dimensions is another unit.',
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
          message: `${episodesThat(episodes.length, 'is', 'are')} in other units than the rest (${first.meaning}, factor ${first.factor}): ${someOf(episodes)}`,
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
  const layout = group[0].row.layout;
  const { values, ...size } = tableOf(group.map(({ row }) => row.scale));
  const scales = { values: values.map((scale) => Math.log(Math.max(scale, 1e-12))), ...size };
  const middles = group[0].row.scale.map((_, d) => medianOf(columnOf(scales, d)));
  const spreads = middles.map((middle, d) => Math.max(spreadOf(columnOf(scales, d), middle), 0.05));
  const streams = dimensionsIn(layout).map((dimensions) =>
    dimensions.filter((d) => !(middles[d] < Math.log(1e-4) || sure * spreads[d] > smallest)),
  );
  for (let i = 0; i < group.length; i++) {
    for (const dimensions of streams) {
      const note = drifted(scales, i, middles, spreads, dimensions, layout);
      if (note === null) continue;
      const { episode } = group[i];
      if (note.dimensions > (notes.get(episode)?.dimensions ?? 0)) notes.set(episode, note);
    }
  }
}

/**
 * A unit belongs to a stream, so at least half of its dimensions that have a scale must be off by the same factor.
 * `dimensions`: those of the stream that have a scale; the rest is of all episodes, as logarithms.
 */
function drifted(
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
    if (Math.abs(difference) < sure * spreads[d]) continue;
    const match = factors.find(([factor]) => Math.abs(difference - Math.log(factor)) < Math.log(tolerance));
    if (match === undefined) continue;
    matched ??= new Map();
    matched.set(match[1], [...(matched.get(match[1]) ?? []), d]);
  }
  for (const [meaning, at] of matched ?? []) {
    if (at.length * 2 < dimensions.length) continue;
    const factor = Math.exp(medianOf(at.map(differenceIn)));
    return { ...placeIn(layout, at[0]), dimensions: at.length, factor: significant(factor, 3), meaning };
  }
  return null;
}

/** Logarithm of the least factor that is looked for. */
const smallest = Math.log(180 / Math.PI / tolerance);
/** Spreads of the peers beyond which a scale is not theirs. */
const sure = 6;

/** The dimensions of each stream of a layout. */
function dimensionsIn(layout: string): number[][] {
  const streams: number[][] = [];
  let first = 0;
  for (const part of layout.split(',')) {
    const dims = Number(part.slice(part.lastIndexOf(':') + 1));
    streams.push(Array.from({ length: dims }, (_, d) => first + d));
    first += dims;
  }
  return streams;
}
