import type { Stream } from '#core/episode';
import { checkTitles } from '#core/titles';
import { type Aspect, type ComparisonNotes, defineCheck, type Subject } from '../check.ts';
import type { CommandPair } from '../features/command-pair.ts';
import { computeWidestRange } from '../features/dimension-leaps.ts';
import { medianInPlace, ramp, roundFinite, scratchBuffer } from '../features/numeric.ts';
import { isStepped } from '../features/stream-features.ts';

type Offset = {
  readonly dimension: number;
  /** Mean of state − action, in the stream's unit. */
  readonly offset: number;
  /** |offset| divided by the dimension's range, or by the median range if that is wider. */
  readonly share: number;
  /** Median of `share` over the dimensions. */
  readonly usual: number;
};

type Values = {
  readonly action: string;
  readonly state: string;
  /** `true` if both streams have the same dimension names, so they should be the same joints. */
  readonly same_names: boolean;
  readonly action_space: string;
  /** Correlation of the velocities at the best lag. */
  readonly correlation: number;
  readonly dimensions: number;
  /** Median over the dimensions of σ(state) / σ(action); `null` for a delta action. */
  readonly scale: number | null;
  readonly declared_units: readonly [string, string];
  readonly offset: Offset | null;
};

/** Note of the comparison across episodes; see `comparisons/joint-offset.ts`. */
type OffsetNote = {
  readonly stream: string;
  readonly dimension: number;
  readonly offset: number;
  readonly z: number;
};

const minRangeFraction = 0.05;

export const actionStateAgreement = defineCheck<Values>({
  id: 'action_state_agreement',
  title: checkTitles.action_state_agreement,
  needs: 'an action and a state with the same number of dimensions',
  kinds: ['teleop', 'state-only'],
  formula: {
    combine: 'minimum of, over the dimensions that move and are neither switches nor hands',
    aspects: [
      { what: 'scale c = median of σ(state)/σ(action), as max(c, 1/c)', score: '1 at 1.6, 0 at 4' },
      {
        what: 'offset of one dimension: |mean(state) − mean(action)| divided by its range (at least the median range), minus three times the median over the dimensions',
        score: '1 at 0.09, 0 at 0.24',
      },
      {
        what: 'deviation z of that offset from the other episodes, in robust standard deviations',
        score: '1 at 5, 0.5 at 9, beyond that 0.45 · (1 at 6, 0 at 24)',
      },
      {
        what: 'correlation of velocities at the best lag, if both streams have the same joint names',
        score: '1 at 0.5, 0 at 0.1',
      },
    ],
    notes: [
      'Scale and offset are scored only from a correlation of 0.5: delta actions and actions in another space are not faults',
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'middle of each ramp; clean G1 and GR1 episodes have a scale of 0.92 to 1.01, offsets below 0.11 (gravity sag) and correlations above 0.9; degrees instead of radians give a scale of 57.3',
  },
  weight: 2,
  flags: [
    {
      code: 'unit_mismatch',
      severity: 'blocking',
      meaning: 'State and action show the same motion at different scales: one of them is in another unit.',
      advice: 'Convert one of them (a factor near 57.3 means degrees versus radians) and declare the unit.',
      echo_of: 'unit_drift',
    },
    {
      code: 'joint_offset',
      severity: 'warning',
      meaning:
        'The state of one joint differs from its action by a constant: its zero position is miscalibrated.',
      advice: 'Calibrate the joint; subtract the offset from existing recordings.',
    },
    {
      code: 'action_state_disagree',
      severity: 'warning',
      meaning: 'Action and state have the same joint names but do not move together.',
      advice: 'Check that both belong to this episode and this arm, and that neither is shifted in time.',
    },
  ],
  calibrated_on: '105 real LeRobot episodes (Unitree G1, Fourier GR1) with injected offsets and unit errors',
  measure(subject) {
    const { features } = subject;
    const pair = features.pair();
    if (pair === null)
      return {
        status: 'inapplicable',
        reason: 'no numeric state with a fixed-rate numeric action',
      };
    const { action, state } = pair;
    const [a, s] = [action.series!.dims, state.series!.dims];
    if (a !== s)
      return {
        status: 'not_assessable',
        reason: `${action.id} has ${a} dimensions, ${state.id} has ${s}: no mapping between them is known`,
      };
    if (features.unitChange(action) !== null || features.unitChange(state) !== null)
      return { status: 'not_assessable', reason: 'the unit changes within the episode' };
    const lag = features.contentLag();
    const same_names = haveSameNames(action, state);
    if (lag === null)
      return {
        status: 'not_assessable',
        reason: 'no smooth dimension moves enough in both streams to compare them',
      };
    if (lag.peak < minCorrelation && isStepped(features.forStream(action)))
      return {
        status: 'not_assessable',
        reason: `velocities correlate by only ${roundFinite(lag.peak, 2)}, and the commands are step-wise, so their velocities are not comparable`,
      };
    if (lag.peak < minCorrelation && !same_names)
      return {
        status: 'not_assessable',
        reason: `velocities correlate by only ${roundFinite(lag.peak, 2)} and the dimensions have no names: the action may be in another space`,
      };
    const comparable = lag.peak >= minCorrelation && lag.action_space === 'position';
    return {
      status: 'measured',
      values: {
        action: action.id,
        state: state.id,
        same_names,
        action_space: lag.action_space,
        correlation: roundFinite(lag.peak, 4),
        declared_units: [action.unit.unit, state.unit.unit],
        ...(comparable
          ? comparePositions(subject, pair)
          : { dimensions: lag.dimensions, offset: null, scale: null }),
      },
    };
  },
  judge(values, notes) {
    const aspects: Aspect[] = [];
    if (values.scale !== null && !hasDeclaredUnitDifference(values))
      aspects.push(scaleAspect(values, values.scale));
    const offset = offsetAspect(values, readOffsetNote(notes));
    if (offset !== null) aspects.push(offset);
    if (values.same_names)
      aspects.push({
        flag: 'action_state_disagree',
        score: ramp(values.correlation, 0.5, 0.1),
        observed: values.correlation,
        message: () =>
          `the velocities of ${values.state} and ${values.action} correlate by at most ${values.correlation}`,
      });
    return aspects;
  },
});

const minCorrelation = 0.5;

function haveSameNames({ names: a }: Stream, { names: b }: Stream): boolean {
  return a !== null && b !== null && a.length === b.length && a.every((name, i) => name === b[i]);
}

/**
 * Computes scale and largest offset from the moments of the moving dimensions, without reading the samples
 * again.
 */
function comparePositions(
  { features }: Subject,
  { action, state }: CommandPair,
): Pick<Values, 'dimensions' | 'scale' | 'offset'> {
  const [a, s] = [features.forStream(action), features.forStream(state)];
  const [exemptA, exemptS] = [features.exempt(action), features.exempt(state)];
  const floors = [minRangeFraction * computeWidestRange(a), minRangeFraction * computeWidestRange(s)];
  const moving: number[] = [];
  for (let d = 0; d < s.dims; d++) {
    if (exemptA.has(d) || exemptS.has(d)) continue;
    if (a.maximum[d] - a.minimum[d] > floors[0] && s.maximum[d] - s.minimum[d] > floors[1]) moving.push(d);
  }
  if (moving.length === 0) return { dimensions: 0, scale: null, offset: null };
  const usualRange = medianOver(moving, (d) => s.maximum[d] - s.minimum[d]);
  const computeShare = (d: number): number =>
    Math.abs(s.mean[d] - a.mean[d]) / Math.max(s.maximum[d] - s.minimum[d], usualRange);
  let worst = moving[0];
  for (const d of moving) if (computeShare(d) > computeShare(worst)) worst = d;
  return {
    dimensions: moving.length,
    scale: roundFinite(medianOver(moving, (d) => s.std[d] / a.std[d])),
    offset: {
      dimension: worst,
      offset: roundFinite(s.mean[worst] - a.mean[worst]),
      share: roundFinite(computeShare(worst), 4),
      usual: roundFinite(medianOver(moving, computeShare), 4),
    },
  };
}

function medianOver(dimensions: readonly number[], value: (dimension: number) => number): number {
  const values = scratchBuffer('medians', dimensions.length);
  for (let k = 0; k < dimensions.length; k++) values[k] = value(dimensions[k]);
  return medianInPlace(values, dimensions.length);
}

/** Returns `true` if the recording declares different units for state and action, which is no defect. */
function hasDeclaredUnitDifference({ declared_units: [action, state] }: Values): boolean {
  return action !== state && action !== 'unknown' && state !== 'unknown';
}

function scaleAspect({ state, action }: Values, scale: number): Aspect {
  return {
    flag: 'unit_mismatch',
    score: scale > 0 ? ramp(Math.max(scale, 1 / scale), 1.6, 4) : 0,
    observed: scale,
    message: () =>
      `${state} moves ${roundFinite(scale, 3)} times as far as ${action} while showing the same motion`,
  };
}

function readOffsetNote(notes: ComparisonNotes): OffsetNote | null {
  const note = notes.joint_offset;
  if (note === undefined || typeof note.z !== 'number' || typeof note.stream !== 'string') return null;
  const { stream, dimension, offset, z } = note;
  return typeof dimension === 'number' && typeof offset === 'number'
    ? { stream, dimension, offset, z }
    : null;
}

/** Returns `true` if the scales differ too much for an offset to mean anything. */
const isOffScale = (scale: number | null): boolean => scale === null || scale > 1.6 || scale < 1 / 1.6;

/** Deviation from which an offset is flagged; clean episodes of a real dataset reach 8.2. */
const maxClean_z = 9;
const scoreDeviation = (z: number): number =>
  z > maxClean_z ? 0.45 * ramp(z, 6, 24) : 0.5 + 0.5 * ramp(z, 5, maxClean_z);

function offsetAspect({ offset, scale, state }: Values, note: OffsetNote | null): Aspect | null {
  const within = offset === null || isOffScale(scale) ? 1 : ramp(offset.share - 3 * offset.usual, 0.09, 0.24);
  const across = note === null ? 1 : scoreDeviation(note.z);
  if (note !== null && across < within)
    return {
      flag: 'joint_offset',
      score: across,
      observed: note.offset,
      message: () =>
        `${note.stream}: dimension ${note.dimension} is offset by ${note.offset} compared with the other episodes (${roundFinite(note.z, 3)} robust standard deviations)`,
    };
  if (offset === null) return null;
  return {
    flag: 'joint_offset',
    score: within,
    observed: offset.offset,
    message: () =>
      `${state}: dimension ${offset.dimension} is offset from its action by ${offset.offset}, ${roundFinite(100 * offset.share, 2)} % of its range (median of all dimensions: ${roundFinite(100 * offset.usual, 2)} %)`,
  };
}
