import { significant } from '#core';
import type { Series, Stream } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import type { Subject } from '../check.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { getColumns } from '../features/columns.ts';
import { computeMedian, ramp } from '../features/numeric.ts';
import type { StreamFeatures } from '../features/stream-features.ts';
import { describeLayout, groupBy, selectComparedStreams } from './shared/comparison-rows.ts';

/** Fraction of rest and amount of motion in an episode. */
export type RestRow = {
  readonly layout: string;
  /** Fraction of the time in which no dimension moves; `null` if the episode is too short. */
  readonly rest: number | null;
  /** Second-widest range of a dimension; the widest may be a gripper's. */
  readonly reach: number;
};

type Note = { readonly rest: number; readonly usual: number };

const minEpisodes = 4;
/** Minimum motion as a fraction of the usual; an episode below rests throughout. */
const minReachFraction = 0.1;
/** Minimum duration for measuring rest; in a shorter episode a normal pause may be most of it. */
const minRestDuration_s = 3;
const minDuration_s = 1;

export const idleEpisode = defineComparison<RestRow>({
  id: 'idle_episode',
  title: comparisonTitles.idle_episode,
  about:
    'Share of the episode, in fortieths, in which no dimension of the state (or of the action if there is no state) moves by more than 1.5 % of its range; the whole episode if nothing moves by a tenth of the usual motion. A few seconds of rest before the first and after the last motion are normal; datasets whose episodes are usually idle for half of the time are not scored.',
  judged_by: ['kinematic_sanity'],
  raises: {
    check: 'kinematic_sanity',
    flags: [
      {
        code: 'episode_idle',
        severity: 'warning',
        meaning: 'The robot is idle for most of the episode.',
        advice: 'Trim the idle part, or leave the episode out: a policy would learn to wait.',
        echo_of: 'unit_drift',
      },
    ],
    judge: (note) => [
      {
        flag: 'episode_idle',
        score: ramp(Number(note.rest), 0.4, 0.6),
        observed: Number(note.rest),
        message: () =>
          `idle for ${Math.round(100 * Number(note.rest))} % of the episode (other episodes: ${Math.round(100 * Number(note.usual))} %)`,
      },
    ],
  },
  collect(subject) {
    if (subject.kind !== 'teleop' && subject.kind !== 'state-only') return null;
    const [state] = selectComparedStreams(subject, 'state');
    const [action] = selectComparedStreams(subject, 'action');
    const stream = state ?? action;
    if (stream === undefined || subject.episode.duration_s < minDuration_s) return null;
    const short = subject.episode.duration_s < minRestDuration_s;
    const rest = short ? null : computeRestShare(stream.series!, subject.features.forStream(stream));
    return {
      layout: describeLayout([stream]),
      reach: computeReach(stream, subject),
      rest: rest === null ? null : significant(rest, 4),
    };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.layout).values()) concludeGroup(group, notes);
    return { findings: [], notes };
  },
});

function computeReach(stream: Stream, { features }: Subject): number {
  const { minimum, maximum, dims } = features.forStream(stream);
  return significant(
    findSecondWidest(dims, (d) => maximum[d] - minimum[d]),
    3,
  );
}

function concludeGroup(group: readonly ComparisonRow<RestRow>[], notes: Map<string, Note>): void {
  const alone = group.length < minEpisodes;
  const shares = group.map(({ row }) => row.rest).filter((rest) => rest !== null);
  const usual = alone || shares.length === 0 ? 0 : computeMedian(shares);
  if (usual >= 0.5) return;
  const reach = computeMedian(group.map(({ row }) => row.reach));
  for (const { episode, row } of group) {
    const still = !alone && row.reach < minReachFraction * reach;
    const rest = still ? 1 : (row.rest ?? 0);
    if (rest > 0.5) notes.set(episode, { rest, usual: significant(usual, 3) });
  }
}

const partCount = 40;
const minRows = 2 * partCount;
/**
 * A dimension rests if it stays within this fraction of its own range or of the widest range; sensor noise is
 * no motion.
 */
const restLimits = { own: 0.015, widest: 0.006 } as const;
/** Minimum range of a dimension as a fraction of the widest; less is noise. */
const minRangeFraction = 0.05;
const movedParts = new Uint8Array(partCount);

/**
 * Returns the fraction of the time, in fortieths of the stream, in which no dimension moves by more than 1.5
 * % of its range or 0.6 % of the widest. `null` if the stream is too short or constant.
 */
function computeRestShare(series: Series, { columns, samples, dims }: StreamFeatures): number | null {
  if (samples < minRows) return null;
  const widest = findSecondWidest(dims, (d) => columns.maximum[d] - columns.minimum[d]);
  if (!(widest > 0)) return null;
  movedParts.fill(0);
  const columnCopies = getColumns(series);
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (range > minRangeFraction * widest)
      markMotion(
        columnCopies.buffer,
        columnCopies.at(d),
        samples,
        Math.max(restLimits.own * range, restLimits.widest * widest),
      );
  }
  let resting = 0;
  for (let part = 0; part < partCount; part++) if (movedParts[part] === 0) resting++;
  return resting / partCount;
}

/**
 * Returns the second-widest range, since the widest may be a gripper on another scale; the widest if the
 * second is 0.
 */
function findSecondWidest(dims: number, getRange: (d: number) => number): number {
  let first = 0;
  let second = 0;
  for (let d = 0; d < dims; d++) {
    const range = getRange(d);
    if (range > first) {
      second = first;
      first = range;
    } else if (range > second) second = range;
  }
  return second > 0 ? second : first;
}

/** Marks the parts of a column that move by more than `limit`; a part is left as soon as it has moved. */
function markMotion(x: Float64Array, from: number, samples: number, limit: number): void {
  for (let part = 0; part < partCount; part++) {
    if (movedParts[part] !== 0) continue;
    const end = from + Math.floor(((part + 1) * samples) / partCount);
    let i = from + Math.floor((part * samples) / partCount);
    let low = x[i];
    let high = low;
    for (i++; i < end; i++) {
      const value = x[i];
      if (value < low) low = value;
      else if (value > high) high = value;
    }
    if (high - low > limit) movedParts[part] = 1;
  }
}
