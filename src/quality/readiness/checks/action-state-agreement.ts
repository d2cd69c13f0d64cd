import type { Stream } from '#core/episode';
import { type Aspect, type ComparedNotes, defineCheck, type Subject } from '../check.ts';
import { isStepped } from '../features/clocks/stepped.ts';
import { widestRange } from '../features/columns/dimension-leaps.ts';
import type { CommandedPair } from '../features/lag/commanded.ts';
import { plain } from '../features/plain.ts';
import { ramp } from '../features/ramp.ts';
import { scratch } from '../features/scratch.ts';
import { medianInPlace } from '../features/select.ts';

type Offset = {
  readonly dimension: number;
  /** Mean of state − action, in the unit of the stream. */
  readonly offset: number;
  /** The same over the dimension's range, or the median range where that is wider. */
  readonly share: number;
  /** Median share over the dimensions. */
  readonly usual: number;
};

type Values = {
  readonly action: string;
  readonly state: string;
  /** The recording gives both the same dimension names, so they claim to be the same joints. */
  readonly same_names: boolean;
  readonly action_space: string;
  /** Correlation of the velocities at the best lag. */
  readonly correlation: number;
  readonly dimensions: number;
  /** Median over the dimensions of the state's standard deviation over the action's; null in a delta space. */
  readonly scale: number | null;
  readonly declared_units: readonly [string, string];
  readonly offset: Offset | null;
};

/** What the comparison across episodes found; see `comparisons/joint-offset.ts`. */
type OffsetNote = {
  readonly stream: string;
  readonly dimension: number;
  readonly offset: number;
  readonly z: number;
};

const leastRange = 0.05;

export const actionStateAgreement = defineCheck<Values>({
  id: 'action_state_agreement',
  title: 'Action and state agree',
  needs: 'an action and a state with the same number of dimensions',
  kinds: ['teleop', 'state-only'],
  formula: {
    combine: 'least of, over the dimensions that move and are neither switches nor hands',
    aspects: [
      { what: 'scale c = median of σ(state)/σ(action), as max(c, 1/c)', score: '1 at 1.6, 0 at 4' },
      {
        what: 'offset of one dimension, |mean(state) − mean(action)| over its range (at least the median range), less three times the median over the dimensions',
        score: '1 at 0.09, 0 at 0.24',
      },
      {
        what: 'deviation z of that offset from the other episodes, in robust standard deviations',
        score: '1 at 5, 0.5 at 9, beyond that 0.45 · (1 at 6, 0 at 24)',
      },
      {
        what: 'correlation of velocities at the best lag, where both streams name the same joints',
        score: '1 at 0.5, 0 at 0.1',
      },
    ],
    notes: ['Scale and offset need a correlation of 0.5: a delta action or another space is no fault'],
  },
  threshold: {
    value: 0.5,
    source:
      'the middle of each ramp; clean G1 and GR1 episodes have a scale of 0.92 to 1.01, offsets under 0.11 (gravity sag) and correlations over 0.9; degrees for radians are a scale of 57.3',
  },
  weight: 2,
  flags: [
    {
      code: 'unit_mismatch',
      severity: 'blocking',
      meaning: 'State and action move alike but on different scales: one is in another unit.',
      advice: 'Convert one of them (a factor near 57.3 is degrees against radians) and declare the unit.',
      echo_of: 'unit_drift',
    },
    {
      code: 'joint_offset',
      severity: 'warning',
      meaning: 'One joint’s state lies beside its action by a constant: its zero was calibrated differently.',
      advice: 'Calibrate the joint; subtract the offset from what was recorded before.',
    },
    {
      code: 'action_state_disagree',
      severity: 'warning',
      meaning: 'Action and state name the same joints and do not move alike.',
      advice: 'Check that both belong to this episode and this arm, and that neither is shifted far.',
    },
  ],
  calibrated_on: '105 real LeRobot episodes (Unitree G1, Fourier GR1) with offsets and units planted',
  measure(subject) {
    const { features } = subject;
    const pair = features.pair();
    if (pair === null)
      return {
        status: 'inapplicable',
        reason: 'there is no numeric state with a numeric action that keeps a rate',
      };
    const { action, state } = pair;
    const [a, s] = [action.series!.dims, state.series!.dims];
    if (a !== s)
      return {
        status: 'not_assessable',
        reason: `${action.id} has ${a} dimensions and ${state.id} ${s}: what answers what is not said`,
      };
    if (features.unitChange(action) !== null || features.unitChange(state) !== null)
      return { status: 'not_assessable', reason: 'a unit changes within the episode' };
    const lag = features.contentLag();
    const same_names = sameNames(action, state);
    if (lag === null)
      return { status: 'not_assessable', reason: 'no smooth dimension moves enough in both to compare them' };
    if (lag.peak < trusted && isStepped(features.of(action)))
      return {
        status: 'not_assessable',
        reason: `velocities correlate by ${plain(lag.peak, 2)} only, and the commands come in steps: their velocities are those of the steps`,
      };
    if (lag.peak < trusted && !same_names)
      return {
        status: 'not_assessable',
        reason: `velocities correlate by ${plain(lag.peak, 2)} only and nothing names the dimensions: the action may be in another space`,
      };
    const comparable = lag.peak >= trusted && lag.action_space === 'position';
    return {
      status: 'measured',
      values: {
        action: action.id,
        state: state.id,
        same_names,
        action_space: lag.action_space,
        correlation: plain(lag.peak, 4),
        declared_units: [action.unit.unit, state.unit.unit],
        ...(comparable
          ? positions(subject, pair)
          : { dimensions: lag.dimensions, offset: null, scale: null }),
      },
    };
  },
  judge(values, notes) {
    const aspects: Aspect[] = [];
    if (values.scale !== null && !differByDeclaration(values))
      aspects.push(scaleAspect(values, values.scale));
    const offset = offsetAspect(values, noteOf(notes));
    if (offset !== null) aspects.push(offset);
    if (values.same_names)
      aspects.push({
        flag: 'action_state_disagree',
        score: ramp(values.correlation, 0.5, 0.1),
        observed: values.correlation,
        message: () =>
          `velocities of ${values.state} and ${values.action} correlate by ${values.correlation} at best`,
      });
    return aspects;
  },
});

const trusted = 0.5;

function sameNames({ names: a }: Stream, { names: b }: Stream): boolean {
  return a !== null && b !== null && a.length === b.length && a.every((name, i) => name === b[i]);
}

/** Scale and offsets from the moments of each dimension; no further look at the samples. */
function positions(
  { features }: Subject,
  { action, state }: CommandedPair,
): Pick<Values, 'dimensions' | 'scale' | 'offset'> {
  const [a, s] = [features.of(action), features.of(state)];
  const [exemptA, exemptS] = [features.exempt(action), features.exempt(state)];
  const floors = [leastRange * widestRange(a), leastRange * widestRange(s)];
  const moving: number[] = [];
  for (let d = 0; d < s.dims; d++) {
    if (exemptA.has(d) || exemptS.has(d)) continue;
    if (a.maximum[d] - a.minimum[d] > floors[0] && s.maximum[d] - s.minimum[d] > floors[1]) moving.push(d);
  }
  if (moving.length === 0) return { dimensions: 0, scale: null, offset: null };
  const usualRange = medianOf(moving, (d) => s.maximum[d] - s.minimum[d]);
  const shareOf = (d: number): number =>
    Math.abs(s.mean[d] - a.mean[d]) / Math.max(s.maximum[d] - s.minimum[d], usualRange);
  let worst = moving[0];
  for (const d of moving) if (shareOf(d) > shareOf(worst)) worst = d;
  return {
    dimensions: moving.length,
    scale: plain(medianOf(moving, (d) => s.std[d] / a.std[d])),
    offset: {
      dimension: worst,
      offset: plain(s.mean[worst] - a.mean[worst]),
      share: plain(shareOf(worst), 4),
      usual: plain(medianOf(moving, shareOf), 4),
    },
  };
}

function medianOf(dimensions: readonly number[], value: (dimension: number) => number): number {
  const values = scratch('medians', dimensions.length);
  for (let k = 0; k < dimensions.length; k++) values[k] = value(dimensions[k]);
  return medianInPlace(values, dimensions.length);
}

/** Different units that the recording itself declares are no fault. */
function differByDeclaration({ declared_units: [action, state] }: Values): boolean {
  return action !== state && action !== 'unknown' && state !== 'unknown';
}

function scaleAspect({ state, action }: Values, scale: number): Aspect {
  return {
    flag: 'unit_mismatch',
    score: scale > 0 ? ramp(Math.max(scale, 1 / scale), 1.6, 4) : 0,
    observed: scale,
    message: () => `${state} moves ${plain(scale, 3)} times as far as ${action}, in step with it`,
  };
}

function noteOf(notes: ComparedNotes): OffsetNote | null {
  const note = notes.joint_offset;
  if (note === undefined || typeof note.z !== 'number' || typeof note.stream !== 'string') return null;
  const { stream, dimension, offset, z } = note;
  return typeof dimension === 'number' && typeof offset === 'number'
    ? { stream, dimension, offset, z }
    : null;
}

/** Offsets in another unit mean nothing. */
const isOffScale = (scale: number | null): boolean => scale === null || scale > 1.6 || scale < 1 / 1.6;

/** Clean episodes of a real set reach 8.2. */
const clean_z = 9;
const acrossScore = (z: number): number =>
  z > clean_z ? 0.45 * ramp(z, 6, 24) : 0.5 + 0.5 * ramp(z, 5, clean_z);

function offsetAspect({ offset, scale, state }: Values, note: OffsetNote | null): Aspect | null {
  const within = offset === null || isOffScale(scale) ? 1 : ramp(offset.share - 3 * offset.usual, 0.09, 0.24);
  const across = note === null ? 1 : acrossScore(note.z);
  if (note !== null && across < within)
    return {
      flag: 'joint_offset',
      score: across,
      observed: note.offset,
      message: () =>
        `${note.stream}: dimension ${note.dimension} is offset by ${note.offset} against the other episodes (${plain(note.z, 3)} robust standard deviations)`,
    };
  if (offset === null) return null;
  return {
    flag: 'joint_offset',
    score: within,
    observed: offset.offset,
    message: () =>
      `${state}: dimension ${offset.dimension} lies ${offset.offset} beside its action, ${plain(100 * offset.share, 2)} % of a range where the others lie ${plain(100 * offset.usual, 2)} %`,
  };
}
