import type { Finding, Stream } from '#episode';
import { significant } from '#kernel';
import type { Subject } from '../check.ts';
import { comparedStreams, groupBy, layoutOf, placeIn, someOf } from '../compared-signals.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import type { EpisodeFeatures } from '../features/episode-features.ts';
import type { StreamFeatures } from '../features/stream-features.ts';
import { columnOf, medianOf, spreadOf } from '../robust.ts';

/** One entry a dimension of the state. */
export type JointRow = {
  readonly layout: string;
  /** Mean of state − action where both have the same dimensions and about as many rows. */
  readonly error: readonly number[] | null;
  readonly start: readonly number[];
  readonly range: readonly number[];
};

type Note = {
  readonly stream: string;
  readonly dimension: number;
  /** How far this episode lies from its peers, in the unit of the stream. */
  readonly offset: number;
  /** The same in robust standard deviations of the peers. */
  readonly z: number;
  /** The same as a share of the dimension's usual range. */
  readonly share: number;
  readonly from: 'state − action' | 'start pose';
};

const fewest = 6;
/** Tracking error depends on load and speed, so a spread below this share of the range is not believed. */
const errorFloor = 0.004;
const errorLimit = { z: 6, share: 0.02 } as const;
/** A start pose counts only where the robot is homed: a spread of at most this share of the range. */
const homed = 0.02;
const startLimit = { z: 8, share: 0.1 } as const;

export const jointOffset = defineComparison<JointRow>({
  id: 'joint_offset',
  title: 'Offset joint',
  about:
    'Per dimension, the mean of state − action (or the start pose of a homed robot) against the median over the episodes of the same layout, in robust standard deviations (1.4826 MAD, at least 0.4 % of the range). Beyond 6 and 2 % of the range (start: 8 and 10 %) the joint was zeroed differently.',
  judged_by: ['action_state_agreement'],
  collect: rowOf,
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.layout).values()) concludeGroup(group, notes);
    return { findings: notes.size === 0 ? [] : [findingOf(notes)], notes };
  },
});

function rowOf(subject: Subject): JointRow | null {
  const states = comparedStreams(subject, 'state');
  if (states.length === 0) return null;
  const range: number[] = [];
  const start: number[] = [];
  for (const stream of states) {
    const own = subject.features.of(stream);
    const { values, dims } = stream.series!;
    for (let d = 0; d < dims; d++) {
      range.push(significant(own.maximum[d] - own.minimum[d], 3));
      start.push(significant(Number.isFinite(values[d]) ? values[d] : own.mean[d], 5));
    }
  }
  return {
    error: errorsOf(states, comparedStreams(subject, 'action'), subject.features),
    layout: layoutOf(states),
    range,
    start,
  };
}

/**
 * Mean of state − action per dimension; null where the two have not the same dimensions and rows. A lag leaves the mean
 * where it is, as the arm comes back; a stream that stands still does not, and is another fault.
 */
function errorsOf(states: readonly Stream[], actions: readonly Stream[], features: EpisodeFeatures) {
  if (states.length !== actions.length) return null;
  const errors: number[] = [];
  for (let s = 0; s < states.length; s++) {
    const [state, action] = [features.of(states[s]), features.of(actions[s])];
    if (state.dims !== action.dims || standsStill(state) || standsStill(action)) return null;
    if (Math.abs(state.samples - action.samples) > 0.02 * state.samples) return null;
    for (let d = 0; d < state.dims; d++) errors.push(significant(state.mean[d] - action.mean[d], 4));
  }
  return errors;
}

/** Every dimension repeats one value over a tenth of the samples. */
function standsStill({ columns, samples, dims }: StreamFeatures): boolean {
  for (let d = 0; d < dims; d++) if (columns.run_length[d] < 0.1 * samples) return false;
  return true;
}

function concludeGroup(group: readonly ComparedRow<JointRow>[], notes: Map<string, Note>): void {
  if (group.length < fewest) return;
  const layout = group[0].row.layout;
  const ranges = group.map(({ row }) => row.range);
  const withError = group.filter(({ row }) => row.error !== null);
  for (let d = 0; d < ranges[0].length; d++) {
    const range = medianOf(columnOf(ranges, d));
    if (!(range > 0)) continue;
    const place = placeIn(layout, d);
    const keep = (episode: string, offset: number, spread: number, from: Note['from']) => {
      const note: Note = {
        ...place,
        from,
        offset: significant(offset),
        share: significant(Math.abs(offset) / range),
        z: significant(Math.abs(offset) / spread),
      };
      const known = notes.get(episode);
      if (known === undefined || note.z > known.z) notes.set(episode, note);
    };
    if (withError.length >= fewest) errors(withError, d, range, keep);
    starts(group, d, range, keep);
  }
}

type Keep = (episode: string, offset: number, spread: number, from: Note['from']) => void;

function errors(group: readonly ComparedRow<JointRow>[], d: number, range: number, keep: Keep): void {
  const column = columnOf(
    group.map(({ row }) => row.error ?? []),
    d,
  );
  const middle = medianOf(column);
  const spread = Math.max(spreadOf(column, middle), errorFloor * range);
  group.forEach(({ episode, row }, i) => {
    const offset = column[i] - middle;
    if (isOffScale(row.range[d], range)) return;
    if (Math.abs(offset) > errorLimit.z * spread && Math.abs(offset) > errorLimit.share * range)
      keep(episode, offset, spread, 'state − action');
  });
}

function starts(group: readonly ComparedRow<JointRow>[], d: number, range: number, keep: Keep): void {
  const column = columnOf(
    group.map(({ row }) => row.start),
    d,
  );
  const middle = medianOf(column);
  const measured = spreadOf(column, middle);
  if (measured > homed * range) return;
  const spread = Math.max(measured, homed * range * 0.5);
  group.forEach(({ episode, row }, i) => {
    const offset = column[i] - middle;
    if (isOffScale(row.range[d], range)) return;
    if (Math.abs(offset) > startLimit.z * spread && Math.abs(offset) > startLimit.share * range)
      keep(episode, offset, spread, 'start pose');
  });
}

/** Another unit is another fault, and its offset means nothing. */
function isOffScale(own: number, usual: number): boolean {
  return own > 6 * usual || own * 6 < usual;
}

function findingOf(notes: ReadonlyMap<string, Note>): Finding {
  const episodes = [...notes.keys()];
  const [first] = notes.values();
  return {
    code: 'joint_offset',
    severity: 'warning',
    path: null,
    message: `${episodes.length} episodes have a joint that is offset against the others (${first.stream} dimension ${first.dimension} by ${first.offset}): ${someOf(episodes)}`,
    advice: 'Calibrate the joint, and correct or leave out what was recorded before.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}
