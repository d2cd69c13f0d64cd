import { clockOf, type Series, type Stream } from '#core/episode';
import { medianOf } from '../comparing/robust.ts';
import type { ClockFeatures } from './clocks/clock-features.ts';
import type { CommonLeap } from './clocks/missing-rows.ts';
import { chatter, leastBend } from './columns/chatter.ts';
import { type DimensionLeap, type DimensionLeaps, widestRange } from './columns/dimension-leaps.ts';
import type { FrozenRows } from './columns/frozen-while.ts';
import { frozenWhile, type Moving, stuckDimension } from './columns/frozen-while.ts';
import { saturation } from './columns/saturation.ts';
import { leastHeight, spikes } from './columns/spikes.ts';
import type { UnitChange } from './columns/unit-change.ts';
import { spansInSeconds } from './marks.ts';
import { plain } from './plain.ts';
import type { StreamFeatures } from './stream-features.ts';

export type Spans = readonly (readonly [number, number])[];

/** The worst dimension for one kind of fault. */
export type Worst = { readonly dimension: number; readonly size: number; readonly spans_s: Spans };

/** What is odd in the motion of one state or action stream; plain JSON. */
export type Motion = {
  readonly stream: string;
  readonly role: 'action' | 'state';
  readonly samples: number;
  /** Share of rows equal to the row before in every dimension, and of those at which the other stream moves. */
  readonly still: number;
  /** One value throughout. */
  readonly constant: boolean;
  readonly frozen: number;
  readonly frozen_s: Spans;
  readonly stuck: Worst | null;
  /** `size`: how far it stands out; `bend`: its second difference. */
  readonly jump: (Worst & { readonly bend: number }) | null;
  /** Samples that leave the motion and come back at once; of the sharpest, `size` and `bend` as of a jump. */
  readonly spikes: (Worst & { readonly bend: number; readonly count: number }) | null;
  readonly unit: { readonly factor: number; readonly spans_s: Spans } | null;
  readonly saturated: Worst | null;
  /** `size`: alternations on end; `bend`: their mean second difference; `share`: of the rows that alternate. */
  readonly chatter: (Worst & { readonly bend: number; readonly share: number }) | null;
  /** The root mean square of the second differences of the middle dimension of those that move: how noisy it is. */
  readonly tremor: number;
};

/** A stand-still counts from five rows and a fifth of a second on. */
const fewestStill = { rows: 5, s: 0.2 };
/** A single joint may rest while its command creeps, so it counts later. */
const fewestStuck = { rows: 10, share: 0.1 };
const leastRange = 0.05;
/** A dimension that holds its value nearly always has steps, not alternations. */
const mostHeld = 0.8;
/** A limit or an alternation shows only over some time. */
const fewestForLimits = 30;
/** Under these nothing is said, so nothing is kept. */
const least = { jump: 4, saturated: 0.05, chatter: 3, chatterShare: 0.2 };

/** Of an episode's features, those that its motion is looked at with. */
interface MotionMeans {
  of(stream: Stream): StreamFeatures;
  clock(stream: Stream): ClockFeatures | null;
  exempt(stream: Stream): ReadonlySet<number>;
  leaps(stream: Stream): DimensionLeaps;
  unitChange(stream: Stream): UnitChange | null;
  commonLeap(): CommonLeap | null;
}

/** Measures one stream against its partner (`null`: it has none). */
export function motionOf(features: MotionMeans, stream: Stream, partner: Stream | null): Motion {
  const own = moving(features, stream);
  const other = partner === null ? null : moving(features, partner);
  const { samples, median_step_s } = own.features;
  const step_s = median_step_s ?? (stream.declared_rate_hz === null ? 0 : 1 / stream.declared_rate_hz);
  const fewest = Math.max(fewestStill.rows, step_s > 0 ? Math.ceil(fewestStill.s / step_s) : 0);
  const frozen = frozenWhile(own, other, fewest);
  const stuck =
    other === null || stream.role !== 'state' || frozen.rows > 0
      ? null
      : stuckDimension(own, other, Math.max(fewestStuck.rows, fewestStuck.share * samples));
  const unit = features.unitChange(stream);
  return {
    stream: stream.id,
    role: stream.role === 'action' ? 'action' : 'state',
    samples,
    still: frozen.set_points ? 0 : share(frozen.still.rows, samples),
    constant: frozen.still.repeated === samples - 1,
    frozen: share(frozen.rows, samples),
    frozen_s: spansInSeconds(stream, frozen.runs),
    stuck: stuck === null ? null : worst(stream, stuck.dimension, stuck.share, [stuck.run]),
    jump: jumpOf(own, features, frozen.still),
    spikes: spikesOf(own),
    unit:
      unit === null
        ? null
        : {
            factor: plain(unit.factor, 4),
            spans_s: spansInSeconds(stream, [{ from: unit.row - 1, to: unit.row }]),
          },
    ...limitsOf(own, stuck === null ? -1 : stuck.dimension),
    tremor: tremorOf(own),
  };
}

function tremorOf({ features, hands }: Moving): number {
  const { columns, dims } = features;
  const widest = widestRange(features);
  const bends: number[] = [];
  for (let d = 0; d < dims; d++)
    if (columns.maximum[d] - columns.minimum[d] > leastRange * widest && !hands.has(d))
      bends.push(columns.bend_rms[d]);
  return bends.length === 0 ? 0 : plain(medianOf(bends), 3);
}

function moving(features: MotionMeans, stream: Stream): Moving {
  return { stream, features: features.of(stream), hands: features.exempt(stream) };
}

const share = (rows: number, samples: number): number => (samples === 0 ? 0 : plain(rows / samples, 4));

function worst(
  stream: Stream,
  dimension: number,
  size: number,
  spans: readonly { readonly from: number; readonly to: number }[],
): Worst {
  return { dimension, size: plain(size, 4), spans_s: spansInSeconds(stream, spans) };
}

/** Commands that repeat more often than not come in steps. */
const mostRepeated = 0.5;
/** A bend of under 15 % of the range counts for less, however smooth the rest is: contact, the start of a motion. */
const fullBend = 0.15;
const sizeOf = ({ isolation, share }: DimensionLeap): number => isolation * Math.min(1, share / fullBend);

/** The most isolated leap that no hole of the clock, missing rows, change of unit or end of a stand-still explains. */
function jumpOf(
  { stream, hands, features: { samples, columns } }: Moving,
  features: MotionMeans,
  { runs, repeated }: FrozenRows,
): Motion['jump'] {
  if (stream.role === 'action' && repeated > mostRepeated * samples) return null;
  // Loops write a command of their own when they stop.
  const lastRow = stream.role === 'action' ? samples - 3 : samples;
  const unexplained = features
    .leaps(stream)
    .leaps.filter(
      (leap) =>
        sizeOf(leap) >= least.jump &&
        leap.row <= lastRow &&
        !hands.has(leap.dimension) &&
        !isExplained(stream, leap, features) &&
        !runs.some(({ to }) => Math.abs(to + 1 - leap.row) <= 1),
    );
  if (unexplained.length === 0) return null;
  unexplained.sort((a, b) => sizeOf(b) - sizeOf(a));
  const [{ dimension, share }] = unexplained;
  const rows = [...new Set(unexplained.map(({ row }) => row))].sort((a, b) => a - b);
  const spans = rows.map((row) => ({ from: row - 1, to: row }));
  const bend = share * (columns.maximum[dimension] - columns.minimum[dimension]);
  return { ...worst(stream, dimension, sizeOf(unexplained[0]), spans), bend: plain(bend, 3) };
}

/** Of the dimension whose spikes stand out most. */
function spikesOf({ stream, features, hands }: Moving): Motion['spikes'] {
  const { columns, dims } = features;
  const widest = widestRange(features);
  let found: Motion['spikes'] = null;
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    // A spike bends by twice its height.
    if (!(range > leastRange * widest) || hands.has(d) || columns.bend_max[d] < 2 * leastHeight * range)
      continue;
    const own = spikes(stream.series!, d, range);
    const rows = own.rows.filter((row) => !isSignFlip(stream, { row, dimension: d }));
    if (rows.length === 0 || own.strength <= (found?.size ?? 0)) continue;
    const spans = rows.map((row) => ({ from: row - 1, to: row + 1 }));
    found = { ...worst(stream, d, own.strength, spans), bend: plain(2 * own.height, 3), count: own.count };
  }
  return found;
}

function isExplained(stream: Stream, leap: DimensionLeap, features: MotionMeans): boolean {
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
    keepsSpeed(stream.series!, leap.dimension, row)
  );
}

/** An angle that passes from one end of its circle to the other; the circle is then all that the dimension spans. */
function isWrap(stream: Stream, { row, dimension }: DimensionLeap, features: MotionMeans): boolean {
  const { columns } = features.of(stream);
  const range = columns.maximum[dimension] - columns.minimum[dimension];
  const { values, dims } = stream.series!;
  const step = Math.abs(values[row * dims + dimension] - values[(row - 1) * dims + dimension]);
  return [2 * Math.PI, 360].some((circle) => Math.abs(step / circle - 1) < 0.05 && range < 1.1 * circle);
}

/** Saturation and chatter of the arm's dimensions, each of the worst. */
function limitsOf({ stream, features, hands }: Moving, stuck: number): Pick<Motion, 'saturated' | 'chatter'> {
  const { columns, dims, samples } = features;
  const series = stream.series!;
  const widest = widestRange(features);
  if (samples < fewestForLimits) return { saturated: null, chatter: null };
  let saturated: Worst | null = null;
  let chattering: Motion['chatter'] = null;
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (!(range > leastRange * widest) || hands.has(d)) continue;
    const atLimit = Math.max(columns.at_minimum[d], columns.at_maximum[d]);
    if (atLimit > least.saturated * samples && d !== stuck) {
      const limit = columns.at_minimum[d] > columns.at_maximum[d] ? columns.minimum[d] : columns.maximum[d];
      const found = saturation(
        series,
        d,
        limit,
        [columns.minimum[d], columns.maximum[d]],
        isNoisy(features, d),
      );
      if (found.share > (saturated?.size ?? least.saturated))
        saturated = worst(stream, d, found.share, [found]);
    }
    const bend = leastBend(range, widest);
    if (columns.bend_max[d] < bend || columns.zero_steps[d] > mostHeld * samples) continue;
    const found = chatter(series, d, bend);
    if (found.longest.size <= least.chatter && found.share <= least.chatterShare) continue;
    if (chattering !== null && found.longest.size <= chattering.size) continue;
    chattering = {
      ...worst(stream, d, found.longest.size, [found.longest]),
      bend: plain(found.bend, 3),
      share: plain(found.share, 4),
    };
  }
  return { saturated, chatter: chattering };
}

/** Computed motion is smooth and may rest exactly; what a sensor reads or a hand commands does neither. */
function isNoisy({ columns }: Moving['features'], d: number): boolean {
  return columns.bend_rms[d] > 0.25 * columns.step_rms[d];
}

/** Steps on one side of a bend that are looked at. */
const reach = 5;
/** Slower motion beside a leap does not explain it. */
const leastShare = 0.5;
const steps = new Float64Array(reach);

/**
 * Says whether a dimension goes on after a bend, or came to it, at the speed of the bend's own step: motion that starts,
 * stops or turns from one sample to the next, as that of a simulator without inertia. A leap is faster than the motion on
 * either side of it.
 */
function keepsSpeed({ values, dims }: Series, dimension: number, row: number): boolean {
  const stepInto = (i: number) => Math.abs(values[i * dims + dimension] - values[(i - 1) * dims + dimension]);
  const samples = values.length / dims;
  const own = stepInto(row);
  const before = row - reach < 1 ? 0 : middle((k) => stepInto(row - 1 - k));
  const after = row + reach >= samples ? 0 : middle((k) => stepInto(row + 1 + k));
  return Math.max(before, after) >= leastShare * own;
}

function middle(step: (k: number) => number): number {
  for (let k = 0; k < reach; k++) steps[k] = step(k);
  return steps.sort()[reach >> 1];
}

const parts = 4;
const tolerance = 0.05;

/**
 * Whether the step into `row` belongs to a unit quaternion that goes over to its negative: q and −q are one
 * orientation. Told by the numbers: four dimensions on end of length 1, all of which change sign at once.
 */
function isSignFlip(
  { series }: Stream,
  { row, dimension }: { readonly row: number; readonly dimension: number },
): boolean {
  const { values, dims } = series!;
  for (let from = Math.max(0, dimension - parts + 1); from <= dimension && from + parts <= dims; from++) {
    const before = (row - 1) * dims + from;
    const after = row * dims + from;
    let [here, there, sum] = [0, 0, 0];
    for (let k = 0; k < parts; k++) {
      here += values[before + k] ** 2;
      there += values[after + k] ** 2;
      sum += (values[before + k] + values[after + k]) ** 2;
    }
    if (Math.abs(here - 1) < tolerance && Math.abs(there - 1) < tolerance && sum < tolerance) return true;
  }
  return false;
}
