import { significant } from '#core';
import type { Series, Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import { comparedStreams, groupBy, layoutOf } from '../comparing/compared-signals.ts';
import { medianOf } from '../comparing/robust.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { columnsOf } from '../features/columns/columns.ts';
import { ramp } from '../features/ramp.ts';
import type { StreamFeatures } from '../features/stream-features.ts';

/** How much of the episode the robot rests, and how far it moves at all. */
export type RestRow = {
  readonly layout: string;
  /** Share of the time in which no dimension moves; null where the episode is too short to tell. */
  readonly rest: number | null;
  /** The second widest range of a dimension: the widest may be a gripper's. */
  readonly reach: number;
};

type Note = { readonly rest: number; readonly usual: number };

const fewest = 4;
/** An episode that moves by less than this share of what is usual rests throughout. */
const hardlyMoves = 0.1;
/** A pause is part of a demonstration; in a shorter episode it may be most of it. */
const pauses_s = 3;
const least_s = 1;

export const idleEpisode = defineComparison<RestRow>({
  id: 'idle_episode',
  title: 'Idle episodes',
  about:
    'The share of an episode’s time, in fortieths, in which no dimension of the state (or of the action, where there is no state) moves by more than 1.5 % of its range, or all of it, where nothing moves by a tenth of what is usual in the set. Seconds of rest before the first motion and after the last are normal; a set whose episodes usually rest for half of the time is not judged.',
  judged_by: ['kinematic_sanity'],
  raises: {
    check: 'kinematic_sanity',
    flags: [
      {
        code: 'episode_idle',
        severity: 'warning',
        meaning: 'The robot rests for most of the episode.',
        advice: 'Trim the idle part, or leave the episode out: a policy learns to wait from it.',
        echo_of: 'unit_drift',
      },
    ],
    judge: (note) => [
      {
        flag: 'episode_idle',
        score: ramp(Number(note.rest), 0.4, 0.6),
        observed: Number(note.rest),
        message: () =>
          `nothing moves in ${Math.round(100 * Number(note.rest))} % of the episode, in the others in ${Math.round(100 * Number(note.usual))} %`,
      },
    ],
  },
  collect(subject) {
    if (subject.kind !== 'teleop' && subject.kind !== 'state-only') return null;
    const [state] = comparedStreams(subject, 'state');
    const [action] = comparedStreams(subject, 'action');
    const stream = state ?? action;
    if (stream === undefined || subject.episode.duration_s < least_s) return null;
    const short = subject.episode.duration_s < pauses_s;
    const rest = short ? null : restOf(stream.series!, subject.features.of(stream));
    return {
      layout: layoutOf([stream]),
      reach: reachOf(stream, subject),
      rest: rest === null ? null : significant(rest, 4),
    };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.layout).values()) concludeGroup(group, notes);
    return { findings: [], notes };
  },
});

function reachOf(stream: Stream, { features }: Subject): number {
  const { minimum, maximum, dims } = features.of(stream);
  return significant(
    secondWidest(dims, (d) => maximum[d] - minimum[d]),
    3,
  );
}

function concludeGroup(group: readonly ComparedRow<RestRow>[], notes: Map<string, Note>): void {
  const alone = group.length < fewest;
  const shares = group.map(({ row }) => row.rest).filter((rest) => rest !== null);
  const usual = alone || shares.length === 0 ? 0 : medianOf(shares);
  if (usual >= 0.5) return;
  const reach = medianOf(group.map(({ row }) => row.reach));
  for (const { episode, row } of group) {
    const still = !alone && row.reach < hardlyMoves * reach;
    const rest = still ? 1 : (row.rest ?? 0);
    if (rest > 0.5) notes.set(episode, { rest, usual: significant(usual, 3) });
  }
}

const parts = 40;
const leastRows = 2 * parts;
/** A dimension that stays within this share of its range, or of the widest, rests: the noise of a sensor is no motion. */
const stays = { own: 0.015, widest: 0.006 } as const;
/** Dimensions with less than this share of the widest range tell noise, not motion. */
const leastRange = 0.05;
const moved = new Uint8Array(parts);

/**
 * Share of the time, in fortieths of the stream, during which no dimension moves by more than 1.5 % of its range or
 * 0.6 % of the widest. Null where it is too short, or nothing moves at all.
 */
function restOf(series: Series, { columns, samples, dims }: StreamFeatures): number | null {
  if (samples < leastRows) return null;
  const widest = secondWidest(dims, (d) => columns.maximum[d] - columns.minimum[d]);
  if (!(widest > 0)) return null;
  moved.fill(0);
  const columnCopies = columnsOf(series);
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (range > leastRange * widest)
      markMotion(
        columnCopies.buffer,
        columnCopies.at(d),
        samples,
        Math.max(stays.own * range, stays.widest * widest),
      );
  }
  let resting = 0;
  for (let part = 0; part < parts; part++) if (moved[part] === 0) resting++;
  return resting / parts;
}

/** The widest may be a gripper, on a scale of its own. */
function secondWidest(dims: number, rangeOf: (d: number) => number): number {
  let first = 0;
  let second = 0;
  for (let d = 0; d < dims; d++) {
    const range = rangeOf(d);
    if (range > first) {
      second = first;
      first = range;
    } else if (range > second) second = range;
  }
  return second > 0 ? second : first;
}

/** Stops looking into a part as soon as it has moved. */
function markMotion(x: Float64Array, from: number, samples: number, limit: number): void {
  for (let part = 0; part < parts; part++) {
    if (moved[part] !== 0) continue;
    const end = from + Math.floor(((part + 1) * samples) / parts);
    let i = from + Math.floor((part * samples) / parts);
    let low = x[i];
    let high = low;
    for (i++; i < end; i++) {
      const value = x[i];
      if (value < low) low = value;
      else if (value > high) high = value;
    }
    if (high - low > limit) moved[part] = 1;
  }
}
