import { clockOf, type Series, type Stream } from '#core/episode';
import type { ClockFeatures } from './clock-features.ts';
import {
  computeWidestRange,
  type DimensionLeap,
  type DimensionLeaps,
  type UnitChange,
} from './dimension-leaps.ts';
import { type FrozenRows, findStuckDimension, type MovingStream, measureFrozen } from './frozen-while.ts';
import type { CommonLeap } from './missing-rows.ts';
import { computeMedian, roundFinite } from './numeric.ts';
import {
  computeMinChatterBend,
  findSpikes,
  measureChatter,
  measureSaturation,
  minSpikeHeight,
} from './signal-anomalies.ts';
import type { StreamFeatures } from './stream-features.ts';
import { spansInSeconds } from './stream-rows.ts';

/** Spans `[from, to]` in seconds since the episode's start. */
export type Spans = readonly (readonly [number, number])[];

/** Worst dimension for one kind of anomaly; `size` depends on the kind. */
export type WorstDimension = { readonly dimension: number; readonly size: number; readonly spans_s: Spans };

/** Anomalies in the motion of one state or action stream; plain JSON, stored in receipts. */
export type Motion = {
  readonly stream: string;
  readonly role: 'action' | 'state';
  readonly samples: number;
  /** Fraction of rows in runs of equal rows; 0 for set points. */
  readonly still: number;
  /** `true` if all rows are equal. */
  readonly constant: boolean;
  readonly frozen: number;
  readonly frozen_s: Spans;
  readonly stuck: WorstDimension | null;
  /** `size`: isolation of the leap; `bend`: its second difference. */
  readonly jump: (WorstDimension & { readonly bend: number }) | null;
  /** Spikes, which leave the motion and return at once; `size` and `bend` as for `jump`, of the strongest. */
  readonly spikes: (WorstDimension & { readonly bend: number; readonly count: number }) | null;
  readonly unit: { readonly factor: number; readonly spans_s: Spans } | null;
  readonly saturated: WorstDimension | null;
  /**
   * `size`: longest run of alternations; `bend`: their mean second difference; `share`: fraction of
   * alternating rows.
   */
  readonly chatter: (WorstDimension & { readonly bend: number; readonly share: number }) | null;
  /** Noise level: root mean square of the second differences of the median moving dimension. */
  readonly tremor: number;
};

/** Minimum length of a standstill. */
const minStill = { rows: 5, s: 0.2 };
/** Minimum length of a standstill of a single joint, which may rest while its command creeps. */
const minStuck = { rows: 10, share: 0.1 };
const minRangeFraction = 0.05;
/** Maximum fraction of zero steps for chatter; a dimension above moves in steps. */
const maxZeroStepShare = 0.8;
/** Minimum number of samples for detecting saturation and chatter. */
const minSamplesForLimits = 30;
/** Values below these limits never lower a score, so they are not stored. */
const reportLimits = { jump: 4, saturated: 0.05, chatter: 3, chatterShare: 0.2 };

/** Features of an episode that `measureMotion` needs. */
interface MotionInputs {
  forStream(stream: Stream): StreamFeatures;
  clock(stream: Stream): ClockFeatures | null;
  exempt(stream: Stream): ReadonlySet<number>;
  leaps(stream: Stream): DimensionLeaps;
  unitChange(stream: Stream): UnitChange | null;
  commonLeap(): CommonLeap | null;
}

/**
 * Measures frozen, stuck, jumping, spiking, saturated and trembling motion of one stream, frozen and stuck by
 * comparison with `partner`; `null` if it has none.
 */
export function measureMotion(features: MotionInputs, stream: Stream, partner: Stream | null): Motion {
  const ownStream = toMovingStream(features, stream);
  const partnerStream = partner === null ? null : toMovingStream(features, partner);
  const { samples, median_step_s } = ownStream.features;
  const step_s = median_step_s ?? (stream.declared_rate_hz === null ? 0 : 1 / stream.declared_rate_hz);
  const minFrozenRows = Math.max(minStill.rows, step_s > 0 ? Math.ceil(minStill.s / step_s) : 0);
  const frozen = measureFrozen(ownStream, partnerStream, minFrozenRows);
  const stuck =
    partnerStream === null || stream.role !== 'state' || frozen.rows > 0
      ? null
      : findStuckDimension(ownStream, partnerStream, Math.max(minStuck.rows, minStuck.share * samples));
  const unit = features.unitChange(stream);
  return {
    stream: stream.id,
    role: stream.role === 'action' ? 'action' : 'state',
    samples,
    still: frozen.set_points ? 0 : computeShare(frozen.still.rows, samples),
    constant: frozen.still.repeated === samples - 1,
    frozen: computeShare(frozen.rows, samples),
    frozen_s: spansInSeconds(stream, frozen.runs),
    stuck: stuck === null ? null : createWorst(stream, stuck.dimension, stuck.share, [stuck.run]),
    jump: findJump(ownStream, features, frozen.still),
    spikes: findWorstSpikes(ownStream),
    unit:
      unit === null
        ? null
        : {
            factor: roundFinite(unit.factor, 4),
            spans_s: spansInSeconds(stream, [{ from: unit.row - 1, to: unit.row }]),
          },
    ...measureLimits(ownStream, stuck === null ? -1 : stuck.dimension),
    tremor: computeTremor(ownStream),
  };
}

function computeTremor({ features, hands }: MovingStream): number {
  const { columns, dims } = features;
  const widest = computeWidestRange(features);
  const bends: number[] = [];
  for (let d = 0; d < dims; d++)
    if (columns.maximum[d] - columns.minimum[d] > minRangeFraction * widest && !hands.has(d))
      bends.push(columns.bend_rms[d]);
  return bends.length === 0 ? 0 : roundFinite(computeMedian(bends), 3);
}

function toMovingStream(features: MotionInputs, stream: Stream): MovingStream {
  return { stream, features: features.forStream(stream), hands: features.exempt(stream) };
}

const computeShare = (rows: number, samples: number): number =>
  samples === 0 ? 0 : roundFinite(rows / samples, 4);

function createWorst(
  stream: Stream,
  dimension: number,
  size: number,
  spans: readonly { readonly from: number; readonly to: number }[],
): WorstDimension {
  return { dimension, size: roundFinite(size, 4), spans_s: spansInSeconds(stream, spans) };
}

/** Maximum fraction of repeated rows for jumps in an action; above, commands move in steps. */
const maxRepeatedShare = 0.5;
/**
 * Bend as a fraction of the range below which a leap counts proportionally less, even in smooth motion:
 * contact, or the start of a motion.
 */
const fullBendShare = 0.15;
const computeLeapSize = ({ isolation, share }: DimensionLeap): number =>
  isolation * Math.min(1, share / fullBendShare);

/**
 * Finds the most isolated leap that is not explained by a clock hole, missing rows, a change of unit or the
 * end of a standstill.
 */
function findJump(
  { stream, hands, features: { samples, columns } }: MovingStream,
  features: MotionInputs,
  { runs, repeated }: FrozenRows,
): Motion['jump'] {
  if (stream.role === 'action' && repeated > maxRepeatedShare * samples) return null;
  // Control loops write a special command when they stop.
  const lastRow = stream.role === 'action' ? samples - 3 : samples;
  const unexplained = features
    .leaps(stream)
    .leaps.filter(
      (leap) =>
        computeLeapSize(leap) >= reportLimits.jump &&
        leap.row <= lastRow &&
        !hands.has(leap.dimension) &&
        !isExplained(stream, leap, features) &&
        !runs.some(({ to }) => Math.abs(to + 1 - leap.row) <= 1),
    );
  if (unexplained.length === 0) return null;
  unexplained.sort((a, b) => computeLeapSize(b) - computeLeapSize(a));
  const [{ dimension, share }] = unexplained;
  const rows = [...new Set(unexplained.map(({ row }) => row))].sort((a, b) => a - b);
  const spans = rows.map((row) => ({ from: row - 1, to: row }));
  const bend = share * (columns.maximum[dimension] - columns.minimum[dimension]);
  return {
    ...createWorst(stream, dimension, computeLeapSize(unexplained[0]), spans),
    bend: roundFinite(bend, 3),
  };
}

/** Measures the dimension with the strongest spikes; `null` if there are none. */
function findWorstSpikes({ stream, features, hands }: MovingStream): Motion['spikes'] {
  const { columns, dims } = features;
  const widest = computeWidestRange(features);
  let found: Motion['spikes'] = null;
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    // The bend of a spike is twice its height.
    if (
      !(range > minRangeFraction * widest) ||
      hands.has(d) ||
      columns.bend_max[d] < 2 * minSpikeHeight * range
    )
      continue;
    const ownSpikes = findSpikes(stream.series!, d, range);
    const rows = ownSpikes.rows.filter((row) => !isSignFlip(stream, { row, dimension: d }));
    if (rows.length === 0 || ownSpikes.strength <= (found?.size ?? 0)) continue;
    const spans = rows.map((row) => ({ from: row - 1, to: row + 1 }));
    found = {
      ...createWorst(stream, d, ownSpikes.strength, spans),
      bend: roundFinite(2 * ownSpikes.height, 3),
      count: ownSpikes.count,
    };
  }
  return found;
}

function isExplained(stream: Stream, leap: DimensionLeap, features: MotionInputs): boolean {
  const { row } = leap;
  const clock = features.clock(stream);
  if (clock?.holes.some((hole) => Math.abs(hole.to - row) <= 1)) return true;
  const unit = features.unitChange(stream);
  if (unit !== null && Math.abs(unit.row - row) <= 1) return true;
  const common = features.commonLeap();
  if (common !== null && Math.abs(common.row - row) <= 1 && clockOf(stream)?.provenance === 'synthesised')
    return true;
  return (
    isWrap(stream, leap, features) ||
    isSignFlip(stream, leap) ||
    continuesAtSpeed(stream.series!, leap.dimension, row)
  );
}

/**
 * Returns `true` if the leap is an angle that wraps around; the dimension then spans at most one full circle.
 */
function isWrap(stream: Stream, { row, dimension }: DimensionLeap, features: MotionInputs): boolean {
  const { columns } = features.forStream(stream);
  const range = columns.maximum[dimension] - columns.minimum[dimension];
  const { values, dims } = stream.series!;
  const step = Math.abs(values[row * dims + dimension] - values[(row - 1) * dims + dimension]);
  return [2 * Math.PI, 360].some((circle) => Math.abs(step / circle - 1) < 0.05 && range < 1.1 * circle);
}

/** Measures saturation and chatter of the arm's dimensions; each result is the worst dimension. */
function measureLimits(
  { stream, features, hands }: MovingStream,
  stuck: number,
): Pick<Motion, 'saturated' | 'chatter'> {
  const { columns, dims, samples } = features;
  const series = stream.series!;
  const widest = computeWidestRange(features);
  if (samples < minSamplesForLimits) return { saturated: null, chatter: null };
  let saturated: WorstDimension | null = null;
  let chattering: Motion['chatter'] = null;
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (!(range > minRangeFraction * widest) || hands.has(d)) continue;
    const atLimit = Math.max(columns.at_minimum[d], columns.at_maximum[d]);
    if (atLimit > reportLimits.saturated * samples && d !== stuck) {
      const limit = columns.at_minimum[d] > columns.at_maximum[d] ? columns.minimum[d] : columns.maximum[d];
      const found = measureSaturation(
        series,
        d,
        limit,
        [columns.minimum[d], columns.maximum[d]],
        isNoisy(features, d),
      );
      if (found.share > (saturated?.size ?? reportLimits.saturated))
        saturated = createWorst(stream, d, found.share, [found]);
    }
    const bend = computeMinChatterBend(range, widest);
    if (columns.bend_max[d] < bend || columns.zero_steps[d] > maxZeroStepShare * samples) continue;
    const found = measureChatter(series, d, bend);
    if (found.longest.size <= reportLimits.chatter && found.share <= reportLimits.chatterShare) continue;
    if (chattering !== null && found.longest.size <= chattering.size) continue;
    chattering = {
      ...createWorst(stream, d, found.longest.size, [found.longest]),
      bend: roundFinite(found.bend, 3),
      share: roundFinite(found.share, 4),
    };
  }
  return { saturated, chatter: chattering };
}

/**
 * Returns `true` for noisy signals, as sensors read or hands command; computed motion is smooth and may rest
 * exactly.
 */
function isNoisy({ columns }: MovingStream['features'], d: number): boolean {
  return columns.bend_rms[d] > 0.25 * columns.step_rms[d];
}

/** Number of steps that are compared on each side of a bend. */
const speedReach = 5;
/** Minimum speed beside a bend, relative to its step, that explains the leap. */
const minSpeedRatio = 0.5;
const speedSteps = new Float64Array(speedReach);

/**
 * Returns `true` if a dimension continues after a bend, or arrived, at the speed of the bend's own step:
 * motion that starts, stops or turns from one sample to the next, as in a simulator without inertia. A true
 * leap is faster than the motion on both sides.
 */
function continuesAtSpeed({ values, dims }: Series, dimension: number, row: number): boolean {
  const stepInto = (i: number) => Math.abs(values[i * dims + dimension] - values[(i - 1) * dims + dimension]);
  const samples = values.length / dims;
  const ownStep = stepInto(row);
  const before = row - speedReach < 1 ? 0 : medianStep((k) => stepInto(row - 1 - k));
  const after = row + speedReach >= samples ? 0 : medianStep((k) => stepInto(row + 1 + k));
  return Math.max(before, after) >= minSpeedRatio * ownStep;
}

function medianStep(step: (k: number) => number): number {
  for (let k = 0; k < speedReach; k++) speedSteps[k] = step(k);
  return speedSteps.sort()[speedReach >> 1];
}

const quaternionParts = 4;
const quaternionTolerance = 0.05;

/**
 * Returns `true` if the step into `row` is a unit quaternion changing sign: q and −q are the same
 * orientation. Detected by four consecutive dimensions of norm 1 that all change sign at once.
 */
function isSignFlip(
  { series }: Stream,
  { row, dimension }: { readonly row: number; readonly dimension: number },
): boolean {
  const { values, dims } = series!;
  for (
    let from = Math.max(0, dimension - quaternionParts + 1);
    from <= dimension && from + quaternionParts <= dims;
    from++
  ) {
    const before = (row - 1) * dims + from;
    const after = row * dims + from;
    let [here, there, sum] = [0, 0, 0];
    for (let k = 0; k < quaternionParts; k++) {
      here += values[before + k] ** 2;
      there += values[after + k] ** 2;
      sum += (values[before + k] + values[after + k]) ** 2;
    }
    if (
      Math.abs(here - 1) < quaternionTolerance &&
      Math.abs(there - 1) < quaternionTolerance &&
      sum < quaternionTolerance
    )
      return true;
  }
  return false;
}
