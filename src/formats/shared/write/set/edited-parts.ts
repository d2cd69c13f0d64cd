import { AssayError } from '#core';
import type { Episode } from '#core/episode';
import type { EditableEpisode, MotionSeries, Piece } from '../edits/export-edit.ts';
import { planPieces } from '../edits/plan-edits.ts';
import { type EpisodeGrid, gridOf } from './grid.ts';
import type { SetPlan } from './plan-set.ts';

/** An episode of the new set: some rows of one of the source. */
export interface EpisodePart {
  readonly grid: EpisodeGrid;
  /** Of the rows as the plan lays them, the end exclusive; null: all. */
  readonly rows: readonly [from: number, until: number] | null;
  /** When they are, since the start of the source's episode, the end exclusive. Infinite where nothing was cut away. */
  readonly span_s: readonly [from_s: number, until_s: number];
}

/** The rows of an episode before any edit. */
export function episodeGrid({ streams }: Episode, plan: SetPlan): EpisodeGrid {
  const held = new Set([...plan.features, ...plan.cameras].map(({ stream }) => stream));
  const own = streams.filter(({ id }) => held.has(id));
  return gridOf(own, plan.needed, plan.rule, plan.rate_hz);
}

/** What the edits leave of an episode, in order; none: nothing. Throws `usage` where nobody knows its rate. */
export function editedParts(episode: Episode, plan: SetPlan): EpisodePart[] {
  const grid = episodeGrid(episode, plan);
  const rows = grid.time_s.length;
  return planPieces(plan.steps, editable(episode, plan, grid)).map((piece, place) => {
    const { first, until } = piece;
    const from_s = first === 0 ? Number.NEGATIVE_INFINITY : grid.time_s[first];
    const until_s = until === rows ? Number.POSITIVE_INFINITY : grid.time_s[until];
    return {
      grid: partOf(grid, piece, plan, place === 0),
      rows: until - first === rows ? null : [first, until],
      span_s: [from_s, until_s],
    };
  });
}

/** Left-out rows are those of the whole episode; its first part tells of them. */
function partOf(grid: EpisodeGrid, { first, until }: Piece, { edited }: SetPlan, isFirst: boolean) {
  const places = [...grid.places].map(([stream, own]) => {
    const by = edited.get(stream)?.shift ?? 0;
    return [stream, own.slice(first - by, until - by)] as const;
  });
  return {
    time_s: grid.time_s.slice(first, until),
    places: new Map(places),
    left_out: isFirst ? grid.left_out : 0,
  };
}

function editable(episode: Episode, plan: SetPlan, { time_s, places }: EpisodeGrid): EditableEpisode {
  const { rate_hz, features } = plan;
  if (rate_hz === null)
    throw new AssayError(
      'usage',
      `nobody knows how many rows a second ${episode.id} has, and edits of rows need it`,
      {
        advice: 'say it with --rate HZ',
      },
    );
  const of = (role: string) => features.filter((feature) => feature.role === role);
  const telling = of('state').length > 0 ? of('state') : of('action');
  return {
    id: episode.id,
    rows: time_s.length,
    rate_hz,
    times: Number.isNaN(time_s[0]) ? null : time_s,
    motion: telling.map(({ stream }) => motionOf(episode, stream, places.get(stream) ?? new Int32Array(0))),
  };
}

function motionOf({ streams }: Episode, key: string, places: Int32Array): MotionSeries {
  const series = streams.find(({ id }) => id === key)?.series;
  const dims = series?.dims ?? 0;
  const values = new Float64Array(places.length * dims);
  for (const [row, place] of places.entries())
    for (let dim = 0; dim < dims; dim++)
      values[row * dims + dim] = series?.values[place * dims + dim] ?? Number.NaN;
  return { key, values, dims };
}
