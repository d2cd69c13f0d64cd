import { AssayError } from '#core';
import type { Episode } from '#core/episode';
import type { EditableEpisode, MotionSeries, RowRange } from '../edits/export-edit.ts';
import { planRowRanges } from '../edits/registry.ts';
import { buildGrid, type EpisodeGrid } from './grid.ts';
import type { SetPlan } from './plan-set.ts';

/** An episode of the new set: rows of a source episode. */
export interface EpisodePart {
  readonly grid: EpisodeGrid;
  /** Rows [from, until) of the planned grid; `null` for all. */
  readonly rows: readonly [from: number, until: number] | null;
  /** Time span since the start of the source episode, the end exclusive; infinite at ends where nothing was cut. */
  readonly span_s: readonly [from_s: number, until_s: number];
}

/** Returns the rows of an episode before any edit: the time of each, and the sample index of each planned stream. */
export function buildEpisodeGrid({ streams }: Episode, plan: SetPlan): EpisodeGrid {
  const planned = new Set([...plan.features, ...plan.cameras].map(({ stream }) => stream));
  const plannedStreams = streams.filter(({ id }) => planned.has(id));
  return buildGrid(plannedStreams, plan.requiredStreams, plan.rule, plan.rate_hz);
}

/**
 * Returns the parts of an episode that remain after the edits, in order, each with its rows; empty if none remains, and
 * throws `usage` if its rate is unknown.
 */
export function computeEditedParts(episode: Episode, plan: SetPlan): EpisodePart[] {
  const grid = buildEpisodeGrid(episode, plan);
  const rows = grid.time_s.length;
  return planRowRanges(plan.steps, toEditableEpisode(episode, plan, grid)).map((range, index) => {
    const { first, until } = range;
    const from_s = first === 0 ? Number.NEGATIVE_INFINITY : grid.time_s[first];
    const until_s = until === rows ? Number.POSITIVE_INFINITY : grid.time_s[until];
    return {
      grid: sliceGrid(grid, range, plan, index === 0),
      rows: until - first === rows ? null : [first, until],
      span_s: [from_s, until_s],
    };
  });
}

/**
 * Returns the grid of a range. The count of left-out rows is that of the whole episode, reported with its first part.
 */
function sliceGrid(grid: EpisodeGrid, { first, until }: RowRange, { edited }: SetPlan, isFirst: boolean) {
  const indices = [...grid.sampleIndices].map(([stream, samples]) => {
    const by = edited.get(stream)?.shift ?? 0;
    return [stream, samples.slice(first - by, until - by)] as const;
  });
  return {
    time_s: grid.time_s.slice(first, until),
    sampleIndices: new Map(indices),
    left_out: isFirst ? grid.left_out : 0,
  };
}

function toEditableEpisode(
  episode: Episode,
  plan: SetPlan,
  { time_s, sampleIndices }: EpisodeGrid,
): EditableEpisode {
  const { rate_hz, features } = plan;
  if (rate_hz === null)
    throw new AssayError(
      'usage',
      `the frame rate of ${episode.id} is unknown, and edits of rows require it`,
      {
        advice: 'set it with --rate HZ',
      },
    );
  const withRole = (role: string) => features.filter((feature) => feature.role === role);
  const motionFeatures = withRole('state').length > 0 ? withRole('state') : withRole('action');
  return {
    id: episode.id,
    rows: time_s.length,
    rate_hz,
    times: Number.isNaN(time_s[0]) ? null : time_s,
    motion: motionFeatures.map(({ stream }) =>
      extractMotion(episode, stream, sampleIndices.get(stream) ?? new Int32Array(0)),
    ),
  };
}

function extractMotion({ streams }: Episode, key: string, indices: Int32Array): MotionSeries {
  const series = streams.find(({ id }) => id === key)?.series;
  const dims = series?.dims ?? 0;
  const values = new Float64Array(indices.length * dims);
  for (const [row, index] of indices.entries())
    for (let dim = 0; dim < dims; dim++)
      values[row * dims + dim] = series?.values[index * dims + dim] ?? Number.NaN;
  return { key, values, dims };
}
