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
    combine: 'least of, for state and action, in units of the dimension itself',
    aspects: [
      { what: 'values that are not finite, b of n', score: '0.25 · (1 − 20 b/n), 1 when b = 0' },
      {
        what: 'rows equal to the row before in every dimension, during a run of at least 5 rows and 0.2 s in which the other stream crosses a tenth of a range, as a share of all rows',
        score: '1 at 2 %, 0 at 12 %',
      },
      { what: 'equal rows without a moving partner, share', score: '1 at 60 %, 0 at 100 %' },
      {
        what: 'one dimension standing still while its partner crosses 0.3 of its range, share',
        score: '1 at 15 %, 0 at 45 %',
      },
      {
        what: 'jump: largest |x[i+1] − 2x[i] + x[i−1]| over the sum of its 98th percentile and the sharpest other 5 to 10 rows off, times min(1, that bend / 15 % of the range), unless the motion before or after is half as fast',
        score: '1 at 6, 0 at 12 (action 18, 40)',
      },
      {
        what: 'change of unit: x[i] = c · x[i−1] over the dimensions that leap at one row, c beyond 4 or under 1/4, with steps that keep the new scale',
        score: '0',
      },
      {
        what: 'rows exactly on a limit for at least three rows while others move, entered or left at speed or, in a noisy signal, lasting four times as long as any other value',
        score: '1 at 8 %, 0 at 24 %',
      },
      {
        what: 'alternation of over ±0.5 % of the range (±0.1 % of the widest, and over 3.5 codes of the encoder) from sample to sample, longest run',
        score: '1 at 6, 0 at 14 (action 8, 18)',
      },
      { what: 'alternation, share of rows', score: '1 at 25 %, 0 at 55 %' },
      ...flightGradedAspects,
    ],
    notes: [
      'Switches, grippers and hands are exempt from jump, limit and alternation; dimensions with under a twentieth of the widest range from all three',
      'Of the commands of an autopilot, which step, clip and alternate by design, and of those sent when something happens (velocities, goals), only values that are not finite count, unless NaN means something by convention',
      ...flightFormulaNotes,
    ],
  },
  threshold: {
    value: 0.5,
    source: `the middle of each ramp; clean G1 and GR1 episodes reach a jump of 5.1 (action 23), 4.5 % of rows on a limit, runs of 3 alternations (action 5), no repeated rows; ${flightThresholdSource}`,
  },
  weight: 3,
  flags: [
    {
      code: 'non_finite_values',
      severity: 'blocking',
      meaning: 'A value is NaN or infinite.',
      advice:
        'Cut the episode before it or restore the value from the source; one NaN poisons a whole batch.',
    },
    {
      code: 'state_frozen',
      severity: 'blocking',
      meaning:
        'The measured state repeats exactly while the commands move on: the sensor stream had stopped.',
      advice: 'Check the driver that publishes the state; leave the frozen span out of training.',
    },
    {
      code: 'action_frozen',
      severity: 'blocking',
      meaning:
        'The commands repeat exactly while the robot moves on: the recorded action is not what drove it.',
      advice:
        'Check which topic or device the action is recorded from; leave the frozen span out of training.',
    },
    {
      code: 'signal_still',
      severity: 'warning',
      meaning: 'Nothing changes during most of the episode.',
      advice: 'Trim the idle part, or leave the episode out.',
    },
    {
      code: 'signal_constant',
      severity: 'info',
      meaning:
        'A stream reads one value throughout while others move: what it stands for is not there, or is not used.',
      advice: 'Leave the stream out of training, or connect its sensor.',
    },
    {
      code: 'joint_stuck',
      severity: 'warning',
      meaning: 'One dimension stands still while its partner in the other stream moves.',
      advice: 'Check that joint or its encoder; mask the dimension or leave the span out.',
    },
    {
      code: 'signal_jump',
      severity: 'warning',
      meaning: 'A signal leaps within one sample, out of the motion around it.',
      advice:
        'Look at the mark: a spike can be interpolated, a leap that stays is a re-zeroed joint or a cut.',
    },
    {
      code: 'unit_change',
      severity: 'blocking',
      meaning:
        'From one row on the numbers are a fixed multiple of what they were: the unit changed on the way.',
      advice: 'Convert the rows after the mark back (57.3 is degrees for radians), or cut there.',
    },
    {
      code: 'signal_saturated',
      severity: 'warning',
      meaning: 'A dimension sits exactly on a limit for long while others move: it was clipped.',
      advice: 'Raise the limit of the controller or the recorder; clipped commands teach the limit.',
    },
    {
      code: 'signal_chatter',
      severity: 'warning',
      meaning: 'A dimension alternates from sample to sample for many samples on end.',
      advice: 'Look for two writers of one topic, or a controller that oscillates; filter before training.',
    },
    ...flightFlags,
  ],
  calibrated_on:
    '105 real LeRobot episodes (Unitree G1, Fourier GR1) clean and with each fault planted; real PX4 flights with a failed battery measurement and without a satellite fix',
  measure(subject) {
    const { features } = subject;
    const streams = subject.episode.streams.filter(
      (stream) =>
        stream.series !== undefined &&
        finiteRoles.has(stream.role) &&
        features.forStream(stream).samples >= 3,
    );
    if (!subject.episode.streams.some(({ series, role }) => series !== undefined && finiteRoles.has(role)))
      return { status: 'inapplicable', reason: 'there is no state, action or motion sensor stream' };
    if (streams.every(({ series }) => series!.dims === 0))
      return {
        status: 'not_assessable',
        reason: 'no state, action or motion sensor stream has three samples',
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
