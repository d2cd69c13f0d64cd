import { significant } from '#core';
import type { Finding, Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import {
  comparedStreams,
  episodesThat,
  groupBy,
  layoutOf,
  placeIn,
  someOf,
  textDigest,
} from '../comparing/compared-signals.ts';
import { columnOf, medianOf, spreadOf, tableOf } from '../comparing/robust.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import type { EpisodeFeatures } from '../features/episode-features.ts';
import { peakLag } from '../features/lag/content-lag.ts';
import type { StreamFeatures } from '../features/stream-features.ts';

/** One entry a dimension of the state. */
export type JointRow = {
  readonly layout: string;
  /** Digest of its texts. */
  readonly text: string;
  /** Mean of state − action, less what the lag between them makes of the way from the first pose to the last. */
  readonly error: readonly number[];
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
};

const fewest = 6;
const fewestOfText = 3;
/** A joint that moves so little beside the second widest (the widest may be a gripper) has no range to measure with. */
const idle = 0.15;
/** Tracking error depends on load and speed, so a spread below this share of the range is not believed. */
const floor = 0.004;
/** A lag is believed from this correlation on. */
const leastPeak = 0.8;
/** From `noted` on it lowers the score; beyond `z` it is a flag. */
const limit = { noted: 5, z: 9, share: 0.03, of_widest: 0.012 } as const;

export const jointOffset = defineComparison<JointRow>({
  id: 'joint_offset',
  title: 'Offset joint',
  about:
    'Per dimension with at least 15 % of the second widest range, the mean of state − action against the median over the episodes of the same layout, or over those of its text where that is nearer, in robust standard deviations (1.4826 MAD, at least 0.4 % of the range). Beyond 9 of them, 3 % of the range and 1.2 % of the second widest range the joint was zeroed differently; the clean episodes of a real Unitree G1 set reach 7, with long rests 8.2.',
  judged_by: ['action_state_agreement'],
  collect(subject) {
    const states = comparedStreams(subject, 'state');
    if (states.length === 0) return null;
    const actions = comparedStreams(subject, 'action');
    if (actions.some(isOfSpeeds) && !states.some(isOfSpeeds)) return null;
    const error = errorsOf(states, actions, subject.features);
    if (error === null) return null;
    return { error, layout: layoutOf(states), range: rangesOf(states, subject), text: textDigest(subject) };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.layout).values()) concludeGroup(group, notes);
    const flagged = new Map([...notes].filter(([, { z }]) => z > limit.z));
    return { findings: flagged.size === 0 ? [] : [findingOf(flagged)], notes };
  },
});

const speedName = /(^|[._])(vel|qvel|velocity|speed)([._]|$)/i;
/** Asked for by name; positions do not answer speeds by being equal. */
const isOfSpeeds = ({ names }: Stream): boolean => names?.some((name) => speedName.test(name)) === true;

function rangesOf(states: readonly Stream[], { features }: Subject): number[] {
  const ranges: number[] = [];
  for (const stream of states) {
    const { minimum, maximum, dims } = features.of(stream);
    for (let d = 0; d < dims; d++) ranges.push(significant(maximum[d] - minimum[d], 3));
  }
  return ranges;
}

/**
 * Mean of state − action per dimension; null where the two have not the same dimensions and rows. A lag shifts the mean
 * by its share of the duration times the way from the first pose to the last; a stream that stands still or holds NaN does not, and has another fault.
 */
function errorsOf(
  states: readonly Stream[],
  actions: readonly Stream[],
  features: EpisodeFeatures,
): number[] | null {
  if (states.length !== actions.length) return null;
  const errors: number[] = [];
  const lagged = lagShare(features);
  for (let s = 0; s < states.length; s++) {
    const [state, action] = [features.of(states[s]), features.of(actions[s])];
    if (state.dims !== action.dims || Math.abs(state.samples - action.samples) > 0.02 * state.samples)
      return null;
    if (standsStill(state) || standsStill(action) || state.non_finite + action.non_finite > 0) return null;
    for (let d = 0; d < state.dims; d++)
      errors.push(significant(state.mean[d] - action.mean[d] + lagged * wayOf(states[s], d), 4));
  }
  return errors;
}

/** The lag of the state behind its action as a share of the episode; 0 where it is not known. */
function lagShare(features: EpisodeFeatures): number {
  const pair = features.pair();
  const found = features.contentLag();
  if (pair === null || found === null || found.peak < leastPeak || !(found.step_s > 0)) return 0;
  const { samples, median_step_s } = features.of(pair.state);
  const step_s = pair.same_rows ? found.step_s / found.rows_a_step : (median_step_s ?? 0);
  return step_s > 0 ? (peakLag(found) * found.step_s) / (samples * step_s) : 0;
}

/** From the first value to the last. */
function wayOf({ series }: Stream, d: number): number {
  const { values, dims } = series!;
  return values[values.length - dims + d] - values[d];
}

/** Every dimension repeats one value over a tenth of the samples. */
function standsStill({ columns, samples, dims }: StreamFeatures): boolean {
  for (let d = 0; d < dims; d++) if (columns.run_length[d] < 0.1 * samples) return false;
  return true;
}

function concludeGroup(group: readonly ComparedRow<JointRow>[], notes: Map<string, Note>): void {
  if (group.length < fewest) return;
  const ranges = tableOf(group.map(({ row }) => row.range));
  const errors = tableOf(group.map(({ row }) => row.error));
  const usual = group[0].row.range.map((_, d) => medianOf(columnOf(ranges, d)));
  const widest = [...usual].sort((a, b) => b - a);
  const usualWidest = widest[1] ?? widest[0];
  const least = idle * usualWidest;
  for (let d = 0; d < usual.length; d++) {
    if (!(usual[d] > least)) continue;
    const column = columnOf(errors, d);
    const middle = medianOf(column);
    const spread = Math.max(spreadOf(column, middle), floor * usual[d]);
    const middles = middlesByText(group, column);
    const most = Math.max(limit.noted * spread, limit.share * usual[d], limit.of_widest * usualWidest);
    for (let i = 0; i < column.length; i++) {
      const { episode, row } = group[i];
      const offset = nearerTo(column[i], middle, middles.get(row.text) ?? middle);
      if (Math.abs(offset) <= most) continue;
      if (isOffScale(row.range[d], usual[d])) continue;
      const z = significant(Math.abs(offset) / spread);
      if (z <= (notes.get(episode)?.z ?? 0)) continue;
      const share = significant(Math.abs(offset) / usual[d]);
      notes.set(episode, { ...placeIn(row.layout, d), offset: significant(offset), share, z });
    }
  }
}

/** Medians of the texts that enough episodes have: what a task asks of the arm is no offset of its joints. */
function middlesByText(
  group: readonly ComparedRow<JointRow>[],
  column: ArrayLike<number>,
): ReadonlyMap<string, number> {
  const byText = new Map<string, number[]>();
  group.forEach(({ row: { text } }, i) => {
    const values = byText.get(text);
    if (values === undefined) byText.set(text, [column[i]]);
    else values.push(column[i]);
  });
  return new Map(
    [...byText]
      .filter(([, { length }]) => length >= fewestOfText)
      .map(([text, values]) => [text, medianOf(values)]),
  );
}

const nearerTo = (value: number, a: number, b: number): number =>
  Math.abs(value - b) < Math.abs(value - a) ? value - b : value - a;

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
    message: `${episodesThat(episodes.length, 'has', 'have')} a joint that is offset against the others (${first.stream} dimension ${first.dimension} by ${first.offset}): ${someOf(episodes)}`,
    advice: 'Calibrate the joint, and correct or leave out what was recorded before.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}
