import { significant } from '#core';
import type { Finding, Stream } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import type { Subject } from '../check.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { interpolatePeakLag } from '../features/content-lag.ts';
import type { EpisodeFeatures } from '../features/episode-features.ts';
import { computeMedian, computeSpread, createTable, extractColumn } from '../features/numeric.ts';
import type { StreamFeatures } from '../features/stream-features.ts';
import {
  describeLayout,
  digestTexts,
  formatEpisodeCount,
  formatEpisodeList,
  groupBy,
  locateDimension,
  selectComparedStreams,
} from './shared/comparison-rows.ts';

/** Row with one array entry per dimension of the state. */
export type JointRow = {
  readonly layout: string;
  /** Digest of the episode's texts. */
  readonly text: string;
  /** Mean of state − action, corrected for the lag between them. */
  readonly error: readonly number[];
  readonly range: readonly number[];
};

type Note = {
  readonly stream: string;
  readonly dimension: number;
  /** Deviation from the other episodes, in the stream's unit. */
  readonly offset: number;
  /** `|offset|` in robust standard deviations of the other episodes. */
  readonly z: number;
  /** `|offset|` as a fraction of the dimension's usual range. */
  readonly share: number;
};

const minEpisodes = 6;
const minEpisodesOfText = 3;
/**
 * Joints whose range is below this fraction of the second-widest joint's are ignored (the widest may be a
 * gripper).
 */
const minRangeFraction = 0.15;
/**
 * Minimum spread as a fraction of the range; tracking error depends on load and speed, so a smaller spread is
 * not realistic.
 */
const minSpreadFraction = 0.004;
/** Minimum correlation for a lag to be used. */
const minPeak = 0.8;
/**
 * Deviations from `minNoted_z` lower the score; those above `z` are flagged. Both also require a fraction of
 * the range and of the second-widest range.
 */
const limits = { minNoted_z: 5, z: 9, share: 0.03, of_widest: 0.012 } as const;

export const jointOffset = defineComparison<JointRow>({
  id: 'joint_offset',
  title: comparisonTitles.joint_offset,
  about:
    'For each dimension with at least 15 % of the second widest range: deviation of mean(state − action) from the median over the episodes with the same layout (or with the same instruction, if that is closer), in robust standard deviations (1.4826 MAD, at least 0.4 % of the range). Beyond 9 of them, 3 % of the range and 1.2 % of the second widest range, the joint was zeroed differently. Clean episodes of a real Unitree G1 dataset reach 7, with long rests 8.2.',
  judged_by: ['action_state_agreement'],
  collect(subject) {
    const states = selectComparedStreams(subject, 'state');
    if (states.length === 0) return null;
    const actions = selectComparedStreams(subject, 'action');
    if (actions.some(isVelocityStream) && !states.some(isVelocityStream)) return null;
    const error = computeErrors(states, actions, subject.features);
    if (error === null) return null;
    return {
      error,
      layout: describeLayout(states),
      range: computeRanges(states, subject),
      text: digestTexts(subject),
    };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.layout).values()) concludeGroup(group, notes);
    const flagged = new Map([...notes].filter(([, { z }]) => z > limits.z));
    return { findings: flagged.size === 0 ? [] : [createFinding(flagged)], notes };
  },
});

const velocityNamePattern = /(^|[._])(vel|qvel|velocity|speed)([._]|$)/i;
/** Returns `true` if the stream contains velocities, judged by its dimension names. */
const isVelocityStream = ({ names }: Stream): boolean =>
  names?.some((name) => velocityNamePattern.test(name)) === true;

function computeRanges(states: readonly Stream[], { features }: Subject): number[] {
  const ranges: number[] = [];
  for (const stream of states) {
    const { minimum, maximum, dims } = features.forStream(stream);
    for (let d = 0; d < dims; d++) ranges.push(significant(maximum[d] - minimum[d], 3));
  }
  return ranges;
}

/**
 * Computes mean(state − action) per dimension. A lag shifts the mean by its fraction of the duration times
 * the displacement from the first to the last pose; this is corrected. `null` if state and action differ in
 * dimensions or rows, or a stream is constant or not finite, which other checks report.
 */
function computeErrors(
  states: readonly Stream[],
  actions: readonly Stream[],
  features: EpisodeFeatures,
): number[] | null {
  if (states.length !== actions.length) return null;
  const errors: number[] = [];
  const lagged = computeLagShare(features);
  for (let s = 0; s < states.length; s++) {
    const [state, action] = [features.forStream(states[s]), features.forStream(actions[s])];
    if (state.dims !== action.dims || Math.abs(state.samples - action.samples) > 0.02 * state.samples)
      return null;
    if (isMostlyConstant(state) || isMostlyConstant(action) || state.non_finite + action.non_finite > 0)
      return null;
    for (let d = 0; d < state.dims; d++)
      errors.push(
        significant(state.mean[d] - action.mean[d] + lagged * computeDisplacement(states[s], d), 4),
      );
  }
  return errors;
}

/** Returns the lag of the state behind its action as a fraction of the episode; 0 if it is unknown. */
function computeLagShare(features: EpisodeFeatures): number {
  const pair = features.pair();
  const found = features.contentLag();
  if (pair === null || found === null || found.peak < minPeak || !(found.step_s > 0)) return 0;
  const { samples, median_step_s } = features.forStream(pair.state);
  const step_s = pair.same_rows ? found.step_s / found.rows_a_step : (median_step_s ?? 0);
  return step_s > 0 ? (interpolatePeakLag(found) * found.step_s) / (samples * step_s) : 0;
}

/** Returns the last minus the first value of a dimension. */
function computeDisplacement({ series }: Stream, d: number): number {
  const { values, dims } = series!;
  return values[values.length - dims + d] - values[d];
}

/** Returns `true` if every dimension repeats one value over a tenth of the samples. */
function isMostlyConstant({ columns, samples, dims }: StreamFeatures): boolean {
  for (let d = 0; d < dims; d++) if (columns.run_length[d] < 0.1 * samples) return false;
  return true;
}

function concludeGroup(group: readonly ComparisonRow<JointRow>[], notes: Map<string, Note>): void {
  if (group.length < minEpisodes) return;
  const ranges = createTable(group.map(({ row }) => row.range));
  const errors = createTable(group.map(({ row }) => row.error));
  const usual = group[0].row.range.map((_, d) => computeMedian(extractColumn(ranges, d)));
  const widest = [...usual].sort((a, b) => b - a);
  const usualWidest = widest[1] ?? widest[0];
  const minRange = minRangeFraction * usualWidest;
  for (let d = 0; d < usual.length; d++) {
    if (!(usual[d] > minRange)) continue;
    const column = extractColumn(errors, d);
    const middle = computeMedian(column);
    const spread = Math.max(computeSpread(column, middle), minSpreadFraction * usual[d]);
    const middles = computeMediansByText(group, column);
    const minOffset = Math.max(
      limits.minNoted_z * spread,
      limits.share * usual[d],
      limits.of_widest * usualWidest,
    );
    for (let i = 0; i < column.length; i++) {
      const { episode, row } = group[i];
      const offset = computeSmallerDeviation(column[i], middle, middles.get(row.text) ?? middle);
      if (Math.abs(offset) <= minOffset) continue;
      if (isOffScale(row.range[d], usual[d])) continue;
      const z = significant(Math.abs(offset) / spread);
      if (z <= (notes.get(episode)?.z ?? 0)) continue;
      const share = significant(Math.abs(offset) / usual[d]);
      notes.set(episode, { ...locateDimension(row.layout, d), offset: significant(offset), share, z });
    }
  }
}

/**
 * Computes the median of a column per text, for texts with enough episodes: a task's pose is no offset of the
 * joints.
 */
function computeMediansByText(
  group: readonly ComparisonRow<JointRow>[],
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
      .filter(([, { length }]) => length >= minEpisodesOfText)
      .map(([text, values]) => [text, computeMedian(values)]),
  );
}

const computeSmallerDeviation = (value: number, a: number, b: number): number =>
  Math.abs(value - b) < Math.abs(value - a) ? value - b : value - a;

/** Returns `true` if the range differs so much that the unit differs, which is another defect. */
function isOffScale(ownRange: number, usual: number): boolean {
  return ownRange > 6 * usual || ownRange * 6 < usual;
}

function createFinding(notes: ReadonlyMap<string, Note>): Finding {
  const episodes = [...notes.keys()];
  const [first] = notes.values();
  return {
    code: 'joint_offset',
    severity: 'warning',
    path: null,
    message: `${formatEpisodeCount(episodes.length, 'has', 'have')} a joint with an offset compared with the others (${first.stream} dimension ${first.dimension} by ${first.offset}): ${formatEpisodeList(episodes)}`,
    advice: 'Calibrate the joint; correct or leave out the affected episodes.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}
