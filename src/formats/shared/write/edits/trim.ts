import { AssayError } from '#core';
import type { EditableEpisode, EditStep, ExportEdit, MotionSeries, Piece } from './export-edit.ts';

/** A dimension rests where it stays within this share of its range, or of the widest: as readiness has it. */
const stays = { own: 0.015, widest: 0.006 } as const;
/** Dimensions with less than this share of the widest range tell noise, not motion. */
const leastRange = 0.05;
/** What stays of the rest at each end, so that motion begins and ends in the episode. */
const margin_s = 0.2;

const takes = 'idle or FROM..TO (seconds)';

/** `--trim idle`, `--trim 1.5..12`: rows before and after go. */
export const trim: ExportEdit = {
  id: 'trim',
  takes,
  about: `leaves out the rest before the first motion and after the last (no dimension moves by ${100 * stays.own} % of its range; ${margin_s} s stay), or what lies outside of FROM..TO seconds`,
  read: (texts) => {
    const [text] = texts;
    if (texts.length !== 1) throw usage(texts.join(' '));
    return text === 'idle' ? idle : marks(text);
  },
};

const usage = (text: string) => new AssayError('usage', `--trim takes ${takes}, not ${text}`, {});

const idle: EditStep = {
  lineage: { edit: 'trim', to: 'motion', rest_share_of_range: stays.own, margin_s },
  rows: (piece, episode) => moving(piece, episode),
};

function marks(text: string): EditStep {
  const match = /^(\d+(?:\.\d+)?)?\.\.(\d+(?:\.\d+)?)?$/.exec(text);
  if (match === null || text === '..') throw usage(text);
  const from_s = Number(match[1] ?? 0);
  const to_s = match[2] === undefined ? null : Number(match[2]);
  if (to_s !== null && to_s <= from_s) throw usage(text);
  return {
    lineage: { edit: 'trim', to: 'marks', from_s, to_s },
    rows: (piece, episode) => {
      const zero_s = timeOf(episode, piece.first);
      return between(piece, episode, [zero_s + from_s, zero_s + (to_s ?? Number.POSITIVE_INFINITY)]);
    },
  };
}

/** Since the start of the episode. */
const timeOf = ({ times, rate_hz }: EditableEpisode, row: number) => times?.[row] ?? row / rate_hz;

/** Rows from `from_s` on and before `to_s`, both since the start of the episode. */
function between(
  { first, until }: Piece,
  episode: EditableEpisode,
  [from_s, to_s]: readonly [from_s: number, to_s: number],
): Piece[] {
  // Stamps are rounded where they are recorded as float32.
  const same_s = 1e-3 / episode.rate_hz;
  let from = first;
  while (from < until && !(timeOf(episode, from) >= from_s - same_s)) from++;
  let end = from;
  while (end < until && !(timeOf(episode, end) >= to_s - same_s)) end++;
  return from < end ? [{ first: from, until: end }] : [];
}

/** Seconds of an episode. */
export interface KeptSpan {
  readonly from_s: number;
  readonly to_s: number;
}

/** What a curation plan keeps of episodes, by id; the others stay whole. */
export function trimByPlan(spans: Readonly<Record<string, KeptSpan>>): EditStep {
  return {
    lineage: { edit: 'trim', to: 'plan', episodes: Object.keys(spans).length },
    rows: (piece, episode) => {
      const span = Object.hasOwn(spans, episode.id) ? spans[episode.id] : null;
      return span === null ? [piece] : between(piece, episode, [span.from_s, span.to_s]);
    },
  };
}

/** From a little before the first row that leaves where the piece begins to a little behind the last that has not arrived. */
function moving({ first, until }: Piece, { motion, rate_hz }: EditableEpisode): Piece[] {
  let from = until;
  let end = first;
  for (const series of motion) {
    const limits = limitsOf(series, { first, until });
    from = Math.min(from, leaves(series, limits, { first, until }));
    end = Math.max(end, arrives(series, limits, { first, until }));
  }
  if (from >= end) return motion.length === 0 ? [{ first, until }] : [];
  const margin = Math.round(margin_s * rate_hz);
  return [{ first: Math.max(first, from - margin), until: Math.min(until, end + margin) }];
}

/** How far each dimension may go and still rest; none for those that tell noise. */
function limitsOf({ values, dims }: MotionSeries, { first, until }: Piece): (number | null)[] {
  const ranges = Array.from({ length: dims }, (_, dim) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = first; row < until; row++) {
      const value = values[row * dims + dim];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return high > low ? high - low : 0;
  });
  const [, second = ranges[0]] = [...ranges].sort((a, b) => b - a);
  const widest = second > 0 ? second : Math.max(...ranges);
  return ranges.map((range) =>
    range > leastRange * widest ? Math.max(stays.own * range, stays.widest * widest) : null,
  );
}

/** The first row that lies apart from the piece's first. */
function leaves({ values, dims }: MotionSeries, limits: readonly (number | null)[], { first, until }: Piece) {
  for (let row = first + 1; row < until; row++)
    for (const [dim, limit] of limits.entries())
      if (limit !== null && Math.abs(values[row * dims + dim] - values[first * dims + dim]) > limit)
        return row;
  return until;
}

/** Behind the last row that lies apart from the piece's last. */
function arrives(
  { values, dims }: MotionSeries,
  limits: readonly (number | null)[],
  { first, until }: Piece,
) {
  const last = until - 1;
  for (let row = last - 1; row >= first; row--)
    for (const [dim, limit] of limits.entries())
      if (limit !== null && Math.abs(values[row * dims + dim] - values[last * dims + dim]) > limit)
        return row + 1;
  return first;
}
