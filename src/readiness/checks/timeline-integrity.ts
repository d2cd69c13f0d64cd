import { clockOf, type Stream, type StreamRole } from '#episode';
import { type Aspect, defineCheck, type Mark, type Subject } from '../check.ts';
import type { ClockFeatures } from '../features/clock-features.ts';
import { spansInSeconds } from '../features/marks.ts';
import { missingRows } from '../features/missing-rows.ts';
import { plain } from '../features/plain.ts';
import { ramp } from '../features/ramp.ts';

type Spans = readonly (readonly [number, number])[];

/** A stream whose stamps are not perfect; a perfect one is only counted. */
type ClockFacts = {
  readonly stream: string;
  readonly synthesised: boolean;
  readonly samples: number;
  readonly rate_hz: number;
  readonly declared_rate_hz: number | null;
  readonly non_finite: number;
  readonly reversals: number;
  readonly reversed_s: Spans;
  readonly duplicates: number;
  readonly duplicated_s: Spans;
  /** Samples that would have filled the holes. */
  readonly missing: number;
  readonly longest_hole_s: number;
  readonly holes_s: Spans;
  readonly jitter: number;
};

/** Signs of missing rows in state and action of one table, where the stamps cannot tell. */
type RowFacts = {
  readonly stream: string;
  readonly moving: number;
  readonly leaping: number;
  /** Share of dimensions that leap at one row, times how far that leap stands out. */
  readonly common_leap: number;
  readonly leaps_s: Spans;
};

type Values = {
  readonly clocks: number;
  readonly synthesised: number;
  readonly faulty: readonly ClockFacts[];
  readonly rows: RowFacts | null;
};

const judgedRoles: ReadonlySet<StreamRole> = new Set<StreamRole>([
  'action',
  'state',
  'camera',
  'depth',
  'imu',
  'gnss',
  'attitude',
  'odometry',
  'vehicle',
  'lidar',
  'effort',
  'tactile',
  'audio',
]);

const mostListed = 16;

export const timelineIntegrity = defineCheck<Values>({
  id: 'timeline_integrity',
  title: 'Timeline',
  needs: 'a clock on at least one sensor, state, action or camera stream; only recorded stamps prove capture',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula:
    'least over the streams, with Δ the steps of the clock and Δ̃ their median: non-finite or backward stamps b of n: 0.25 · (1 − 20 b/n), 1 when b = 0; repeated stamps r/n: 1 at 0, 0 at 0.3 %; samples lost in holes (Δ > 1.75 Δ̃, less what a burst made up for) m/(n + m): 1 at 0.5 %, 0 at 5 %; longest hole h, as min(h / 0.5 s, lost / 8): 1 at 0.5, 0 at 1.5; jitter, 95th percentile of |Δ/Δ̃ − 1|: 1 at 0.35, 0 at 0.95; |ln(rate / declared rate)|: 1 at 0.02, 0 at 0.1. Computed stamps (frame index / rate) prove nothing when even and count only when broken; missing rows then show in the signals: share of moving rows at which state and action both leap over 1.4 of the motion around: 1 at 1.5 %, 0 at 5 %; one row where a share s of all dimensions leaps, standing out by i: s · i: 1 at 0.5, 0 at 1.5. No sign and only computed stamps: not assessable',
  threshold: {
    value: 0.5,
    source:
      'the middle of each ramp: about 3 % of samples lost (Aria VrsHealthCheck warns at 1 % and fails at 2 to 10 %), 0.15 % of repeated stamps, 6 % off the declared rate; leaps from real G1 and GR1 episodes: at most 1.4 % clean, 4 % with one row in twenty taken out',
  },
  weight: 3,
  flags: [
    {
      code: 'timestamps_not_finite',
      severity: 'blocking',
      meaning: 'Stamps are NaN or infinite.',
      advice: 'Write the stamps again from the source recording; samples without a time cannot be aligned.',
    },
    {
      code: 'timestamps_not_monotonic',
      severity: 'blocking',
      meaning: 'The clock runs backwards at least once: stamps were swapped or samples are out of order.',
      advice: 'Sort the samples by capture time, or find out which process wrote them out of order.',
    },
    {
      code: 'timestamps_duplicated',
      severity: 'warning',
      meaning: 'Samples share one stamp: a sample was written twice or the clock stood still.',
      advice:
        'Drop the repeated samples, or use the clock of the sensor instead of the one that stood still.',
    },
    {
      code: 'timeline_gap',
      severity: 'warning',
      meaning: 'The clock has holes, or the signals leap as they do over a hole: samples were lost.',
      advice: 'Look for a full queue or a stalled disk in the recorder; cut the episode at the hole.',
    },
    {
      code: 'rows_missing',
      severity: 'blocking',
      meaning: 'A good part of the samples is missing, by the holes in the clock or by leaps in the signals.',
      advice: 'Record the episode again or restore the rows; what is left moves faster than the robot did.',
    },
    {
      code: 'clock_jitter',
      severity: 'warning',
      meaning: 'Steps of the clock scatter so widely that a fixed rate misrepresents the motion.',
      advice: 'Use the stamps of the sensor, or resample on them before training at a fixed rate.',
    },
    {
      code: 'rate_mismatch',
      severity: 'warning',
      meaning: 'The clock runs at another rate than the recording declares.',
      advice: 'Correct the declared rate; speeds and action chunks are computed with it.',
    },
  ],
  calibrated_on:
    '105 real LeRobot episodes (Unitree G1, Fourier GR1) clean and with rows taken out; real ROS 1 and ROS 2 recordings',
  measure(subject) {
    const streams = subject.episode.streams.filter(
      ({ role, clock }) => clock !== null && judgedRoles.has(role),
    );
    if (streams.length === 0)
      return { status: 'not_assessable', reason: 'no sensor, state, action or camera stream has a clock' };
    const faulty: ClockFacts[] = [];
    // Columns of one table share their stamps, and one fault is said once.
    const seen = new Set<ClockFeatures>();
    let synthesised = 0;
    for (const stream of streams) {
      if (clockOf(stream)!.provenance === 'synthesised') synthesised++;
      const clock = subject.features.clock(stream)!;
      if (seen.has(clock) || faulty.length === mostListed) continue;
      seen.add(clock);
      if (isFaulty(clock, stream)) faulty.push(factsOf(clock, stream));
    }
    const rows = rowFacts(subject);
    const signs = rows !== null && (leapScore(rows) < 1 || commonScore(rows) < 1);
    if (synthesised === streams.length && faulty.length === 0 && !signs)
      return { status: 'not_assessable', reason: nothingProven(rows) };
    return {
      status: 'measured',
      values: { clocks: streams.length, faulty, rows: signs ? rows : null, synthesised },
    };
  },
  judge({ faulty, rows }) {
    const aspects: Aspect[] = [];
    for (const facts of faulty) addClockAspects(facts, aspects);
    if (rows !== null) aspects.push(rowAspect(rows));
    return aspects;
  },
});

function nothingProven(rows: RowFacts | null): string {
  const looked =
    rows === null
      ? 'the signals are too short or too still to show missing rows'
      : `the signals show no missing rows (${rows.leaping} of ${rows.moving} moving rows leap)`;
  return `provenance synthesised: every stamp is computed (frame index / rate) and proves nothing about capture; ${looked}`;
}

function isFaulty(clock: ClockFeatures, { declared_rate_hz }: Stream): boolean {
  return (
    clock.non_finite + clock.reversals + clock.duplicates + clock.missing > 0 ||
    clock.jitter_ratio > jitterRamp[0] ||
    rateError(1 / clock.median_step_s, declared_rate_hz) > rateRamp[0]
  );
}

function factsOf(clock: ClockFeatures, stream: Stream): ClockFacts {
  const longest = clock.holes.reduce((most, hole) => Math.max(most, hole.size), 0);
  return {
    stream: stream.id,
    synthesised: clockOf(stream)!.provenance === 'synthesised',
    samples: clock.samples,
    rate_hz: clock.median_step_s > 0 ? plain(1 / clock.median_step_s) : 0,
    declared_rate_hz: stream.declared_rate_hz,
    non_finite: clock.non_finite,
    reversals: clock.reversals,
    reversed_s: pairsAt(stream, clock.reversal_rows),
    duplicates: clock.duplicates,
    duplicated_s: pairsAt(stream, clock.duplicate_rows),
    missing: plain(clock.missing, 4),
    longest_hole_s: plain(longest * clock.median_step_s),
    holes_s: spansInSeconds(stream, clock.holes),
    jitter: plain(clock.jitter_ratio, 4),
  };
}

function pairsAt(stream: Stream, rows: readonly number[]): Spans {
  return spansInSeconds(
    stream,
    rows.map((row) => ({ from: row - 1, to: row })),
  );
}

/** State and action of one table on computed stamps; anywhere else the clock itself shows what is missing. */
function rowFacts({ features }: Subject): RowFacts | null {
  const pair = features.pair();
  if (pair === null || !pair.same_rows || clockOf(pair.state)?.provenance !== 'synthesised') return null;
  const { action, state } = pair;
  const rows = missingRows(state, features.of(state), action, features.of(action));
  const common = features.commonLeap();
  if (rows === null && common === null) return null;
  const at = common === null ? (rows?.leaps ?? []) : [{ from: common.row - 1, to: common.row }];
  return {
    stream: state.id,
    moving: rows?.moving ?? 0,
    leaping: rows?.leaping ?? 0,
    common_leap: common === null ? 0 : plain(common.share * common.isolation, 4),
    leaps_s: spansInSeconds(state, at),
  };
}

/** Too few moving rows make no share. */
const fewestMoving = 20;
const leapScore = ({ moving, leaping }: RowFacts): number =>
  moving < fewestMoving ? 1 : ramp(leaping / moving, 0.015, 0.05);
const commonScore = ({ common_leap }: RowFacts): number => ramp(common_leap, 0.5, 1.5);

function rowAspect(rows: RowFacts): Aspect {
  const { leaping, moving, common_leap, stream } = rows;
  const shared = leapScore(rows);
  const common = commonScore(rows);
  const score = Math.min(shared, common);
  return {
    flag: score > 0 ? 'timeline_gap' : 'rows_missing',
    score,
    observed: shared < common ? plain(leaping / moving) : common_leap,
    message: () =>
      shared < common
        ? `state and action leap together at ${leaping} of ${moving} moving rows, as they do where rows were taken out before the stamps were computed`
        : 'many dimensions of state and action leap at one row, as they do where a block of rows was taken out before the stamps were computed',
    marks: marksOf(stream, rows.leaps_s),
  };
}

const jitterRamp = [0.35, 0.95] as const;
const rateRamp = [0.02, 0.1] as const;
/** From this share of lost samples on the rest is unfit, not merely interrupted. */
const unfitShare = 0.15;

function addClockAspects(facts: ClockFacts, aspects: Aspect[]): void {
  const { stream, samples, non_finite, reversals, duplicates, jitter } = facts;
  const broken = (count: number): number => 0.25 * (1 - Math.min(1, (20 * count) / samples));
  const add = (flag: string, score: number, observed: number, message: () => string, spans: Spans): void => {
    aspects.push({ flag, score, observed, message, marks: marksOf(stream, spans) });
  };
  if (non_finite > 0)
    add(
      'timestamps_not_finite',
      broken(non_finite),
      non_finite,
      () => `${stream}: ${non_finite} of ${samples} stamps are not finite`,
      [],
    );
  if (reversals > 0)
    add(
      'timestamps_not_monotonic',
      broken(reversals),
      reversals,
      () => `${stream}: the clock runs backwards ${times(reversals)} in ${samples} samples`,
      facts.reversed_s,
    );
  if (duplicates > 0)
    add(
      'timestamps_duplicated',
      ramp(duplicates / samples, 0, 0.003),
      plain(duplicates / samples),
      () => `${stream}: ${duplicates} of ${samples} samples repeat the stamp before them`,
      facts.duplicated_s,
    );
  if (facts.missing > 0) aspects.push(holeAspect(facts));
  const spread = facts.synthesised ? 1 : ramp(jitter, ...jitterRamp);
  if (spread < 1)
    add(
      'clock_jitter',
      spread,
      jitter,
      () => `${stream}: one step in twenty is ${percent(jitter)} off the usual one`,
      [],
    );
  const error = rateError(facts.rate_hz, facts.declared_rate_hz);
  if (error > rateRamp[0])
    add(
      'rate_mismatch',
      ramp(error, ...rateRamp),
      facts.rate_hz,
      () => `${stream}: the clock runs at ${facts.rate_hz} Hz, declared are ${facts.declared_rate_hz} Hz`,
      [],
    );
}

function holeAspect({ stream, samples, missing, longest_hole_s, rate_hz, holes_s }: ClockFacts): Aspect {
  const share = missing / (samples + missing);
  const longest = Math.min(longest_hole_s / 0.5, (longest_hole_s * rate_hz) / 8);
  return {
    flag: share >= unfitShare ? 'rows_missing' : 'timeline_gap',
    score: Math.min(ramp(share, 0.005, 0.05), ramp(longest, 0.5, 1.5)),
    observed: plain(share),
    message: () =>
      `${stream}: about ${Math.round(missing)} samples are missing beside ${samples} (${percent(share)}), the longest hole lasts ${plain(longest_hole_s, 3)} s`,
    marks: marksOf(stream, holes_s),
  };
}

function rateError(rate_hz: number, declared_hz: number | null): number {
  if (declared_hz === null || !(declared_hz > 0) || !(rate_hz > 0) || rate_hz === Infinity) return 0;
  return Math.abs(Math.log(rate_hz / declared_hz));
}

function marksOf(stream: string, spans: Spans): Mark[] {
  return spans.map(([from_s, to_s]) => ({ stream, from_s, to_s }));
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const percent = (share: number): string => `${plain(100 * share, 2)} %`;
