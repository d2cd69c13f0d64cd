import type { Stream, StreamRole } from '#core/episode';
import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck, type Subject } from '../check.ts';
import type { Motion, Spans } from '../features/motion.ts';
import { spansInSeconds } from '../features/stream-rows.ts';
import {
  type FlightFacts,
  flightAspects,
  flightFlags,
  flightFormulaNotes,
  flightGradedAspects,
  flightThresholdSource,
  measureFlight,
} from './flight/flight-health.ts';
import {
  createSpanMarks,
  measureMotions,
  motionAspects,
  readUsualTraits,
  traitOf,
} from './shared/motion-aspects.ts';

type NotFinite = {
  readonly stream: string;
  readonly values: number;
  readonly of: number;
  readonly dimension: number;
  readonly spans_s: Spans;
};

type Values = {
  readonly not_finite: readonly NotFinite[];
  readonly motions: readonly Motion[];
  /** Absent for recordings that are no flight. */
  readonly flight?: FlightFacts;
};

const finiteRoles: ReadonlySet<StreamRole> = new Set<StreamRole>([
  'action',
  'state',
  'imu',
  'gnss',
  'attitude',
  'odometry',
  'vehicle',
  'effort',
]);
const maxListed = 8;

export const kinematicSanity = defineCheck<Values>({
  id: 'kinematic_sanity',
  title: checkTitles.kinematic_sanity,
  needs: 'a numeric state, action or motion sensor stream with at least three samples',
  kinds: ['teleop', 'drive-log', 'aerial-flight', 'state-only', 'egocentric'],
  formula: {
    combine: 'minimum of, for state and action, in the unit of each dimension',
    aspects: [
      { what: 'values that are not finite, b of n', score: '0.25 · (1 − 20 b/n), 1 when b = 0' },
      {
        what: 'share of rows equal to the previous row in every dimension, in runs of at least 5 rows and 0.2 s during which the other stream moves by at least a tenth of its range',
        score: '1 at 2 %, 0 at 12 %',
      },
      {
        what: 'share of equal rows while the other stream does not move either',
        score: '1 at 60 %, 0 at 100 %',
      },
      {
        what: 'share of time in which one dimension does not move while its counterpart moves by 0.3 of its range',
        score: '1 at 15 %, 0 at 45 %',
      },
      {
        what: 'jump: largest |x[i+1] − 2x[i] + x[i−1]| divided by the sum of its 98th percentile and the largest such value 5 to 10 rows away, times min(1, that value / 15 % of the range), unless the motion before or after is at least half as fast',
        score: '1 at 6, 0 at 12 (action 18, 40)',
      },
      {
        what: 'unit change: x[i] = c · x[i−1] for the dimensions that jump at one row, with c > 4 or c < 1/4, after which the values keep the new scale',
        score: '0',
      },
      {
        what: 'rows exactly at a limit for at least three rows while other dimensions move, entered or left at speed or, in a noisy signal, held four times as long as any other value',
        score: '1 at 8 %, 0 at 24 %',
      },
      {
        what: 'chatter: longest run of alternations of more than ±0.5 % of the range (±0.1 % of the widest range and more than 3.5 encoder counts) from sample to sample',
        score: '1 at 6, 0 at 14 (action 8, 18)',
      },
      { what: 'chatter, share of rows', score: '1 at 25 %, 0 at 55 %' },
      ...flightGradedAspects,
    ],
    notes: [
      'Switches, grippers and hands are exempt from jump, limit and chatter, as are dimensions with less than a twentieth of the widest range',
      'Autopilot commands step, clip and alternate by design; for these and for event-driven commands (velocities, goals) only non-finite values count, unless NaN has a meaning by convention',
      ...flightFormulaNotes,
    ],
  },
  threshold: {
    value: 0.5,
    source: `middle of each ramp; clean G1 and GR1 episodes reach a jump of 5.1 (action 23), 4.5 % of rows at a limit, runs of 3 alternations (action 5) and no repeated rows; ${flightThresholdSource}`,
  },
  weight: 3,
  flags: [
    {
      code: 'non_finite_values',
      severity: 'blocking',
      meaning: 'A value is NaN or infinite.',
      advice:
        'Cut the episode before the value, or restore it from the source; a single NaN makes the loss of a whole batch NaN.',
    },
    {
      code: 'state_frozen',
      severity: 'blocking',
      meaning: 'The state repeats exactly while the commands keep moving: the sensor stream stopped.',
      advice: 'Check the driver that publishes the state; exclude the frozen span from training.',
    },
    {
      code: 'action_frozen',
      severity: 'blocking',
      meaning:
        'The action repeats exactly while the robot keeps moving: the recorded action is not what controlled it.',
      advice:
        'Check which topic or device the action is recorded from; exclude the frozen span from training.',
    },
    {
      code: 'signal_still',
      severity: 'warning',
      meaning: 'The signals do not change during most of the episode.',
      advice: 'Trim the idle part, or leave the episode out.',
    },
    {
      code: 'signal_constant',
      severity: 'info',
      meaning: 'A stream keeps a single value while others move: its sensor or actuator is absent or unused.',
      advice: 'Exclude the stream from training, or connect its sensor.',
    },
    {
      code: 'joint_stuck',
      severity: 'warning',
      meaning: 'One dimension does not move while its counterpart in the other stream does.',
      advice: 'Check the joint and its encoder; mask the dimension or exclude the span.',
    },
    {
      code: 'signal_jump',
      severity: 'warning',
      meaning: 'A signal jumps within one sample, far beyond the surrounding motion.',
      advice:
        'Look at the marked time: a spike can be interpolated; a lasting step means that the joint was re-zeroed or the recording was cut.',
    },
    {
      code: 'unit_change',
      severity: 'blocking',
      meaning:
        'From one row on, all values are scaled by a constant factor: the unit changed during the episode.',
      advice:
        'Convert the rows after the marked time (a factor of 57.3 means radians to degrees), or cut the episode there.',
    },
    {
      code: 'signal_saturated',
      severity: 'warning',
      meaning: 'A dimension stays exactly at a limit while others move: its values were clipped.',
      advice: 'Raise the limit in the controller or the recorder; a policy learns the clipped values.',
    },
    {
      code: 'signal_chatter',
      severity: 'warning',
      meaning: 'The values of a dimension jump up and down from sample to sample, many times in a row.',
      advice:
        'Check for two publishers on one topic or an oscillating controller; filter the signal before training.',
    },
    ...flightFlags,
  ],
  calibrated_on:
    '105 real LeRobot episodes (Unitree G1, Fourier GR1), unmodified and with each fault injected; real PX4 flights with failed battery measurement and without a GNSS fix',
  measure(subject) {
    const { features } = subject;
    const streams = subject.episode.streams.filter(
      (stream) =>
        stream.series !== undefined &&
        finiteRoles.has(stream.role) &&
        features.forStream(stream).samples >= 3,
    );
    if (!subject.episode.streams.some(({ series, role }) => series !== undefined && finiteRoles.has(role)))
      return { status: 'inapplicable', reason: 'no state, action or motion sensor stream' };
    if (streams.every(({ series }) => series!.dims === 0))
      return {
        status: 'not_assessable',
        reason: 'no state, action or motion sensor stream has at least three samples',
      };
    const not_finite: NotFinite[] = [];
    for (const stream of streams)
      if (
        features.forStream(stream).non_finite > 0 &&
        stream.nan_means === undefined &&
        not_finite.length < maxListed
      )
        addNotFinite(stream, subject, not_finite);
    const flight = measureFlight(subject);
    const values = { motions: measureMotions(subject), not_finite };
    return { status: 'measured', values: flight === null ? values : { ...values, flight } };
  },
  judge({ not_finite, motions, flight }, notes) {
    const aspects: Aspect[] = not_finite.map(notFiniteAspect);
    const usual = readUsualTraits(notes);
    for (const aspect of motionAspects(motions)) if (!usual.has(traitOf(aspect))) aspects.push(aspect);
    if (flight !== undefined) aspects.push(...flightAspects(flight));
    return aspects;
  },
});

/**
 * Adds an entry for a stream with non-finite values. Sensors may leave a dimension unmeasured (NaN
 * throughout); states and actions may not.
 */
function addNotFinite(stream: Stream, { features }: Subject, out: NotFinite[]): void {
  const { columns, dims, samples } = features.forStream(stream);
  const strict = stream.role === 'state' || stream.role === 'action';
  let values = 0;
  let dimension = -1;
  for (let d = 0; d < dims; d++) {
    const bad = columns.non_finite[d];
    if (bad === 0 || (!strict && bad === samples)) continue;
    values += bad;
    if (dimension < 0) dimension = d;
  }
  if (dimension < 0) return;
  const row = columns.non_finite_row[dimension];
  out.push({
    stream: stream.id,
    values,
    of: samples * dims,
    dimension,
    spans_s: spansInSeconds(stream, [{ from: row, to: row }]),
  });
}

function notFiniteAspect({ stream, values, of, dimension, spans_s }: NotFinite): Aspect {
  return {
    flag: 'non_finite_values',
    score: 0.25 * (1 - Math.min(1, (20 * values) / of)),
    observed: values,
    message: () =>
      `${stream}: ${values} of ${of} values are NaN or infinite, first in dimension ${dimension}`,
    marks: createSpanMarks(stream, spans_s, dimension),
  };
}
