import { clockOf, recordedRoles, shouldKeepRate } from '#core/episode';
import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck } from '../check.ts';
import type { ClockFeatures } from '../features/clock-features.ts';
import { addClockAspects, rowAspect } from './shared/timeline-aspects.ts';
import {
  adjustClockFeatures,
  type ClockFacts,
  createClockFacts,
  type DropoutFacts,
  dropoutAspects,
  isFaulty,
  measureDropouts,
  measureRows,
  type RowFacts,
  scoreCommonLeap,
  scoreLeaps,
} from './shared/timeline-facts.ts';

type Values = {
  readonly clocks: number;
  readonly synthesised: number;
  readonly faulty: readonly ClockFacts[];
  readonly rows: RowFacts | null;
  /** Losses that the recorder reports; absent if the format has no such record. */
  readonly dropouts?: DropoutFacts;
};

const maxListed = 16;

export const timelineIntegrity = defineCheck<Values>({
  id: 'timeline_integrity',
  title: checkTitles.timeline_integrity,
  needs: 'a clock on at least one sensor, state, action or camera stream; only recorded stamps prove capture',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula: {
    combine: 'least over the streams, with Δ the steps of the clock and Δ̃ their median',
    aspects: [
      {
        what: 'stamps that are not finite or run backwards, b of n',
        score: '0.25 · (1 − 20 b/n), 1 when b = 0',
      },
      { what: 'repeated stamps, share', score: '1 at 0, 0 at 0.3 %' },
      {
        what: 'samples m lost in holes (Δ > 1.75 Δ̃, less what a burst made up for), m/(n + m)',
        score: '1 at 0.5 %, 0 at 5 %',
      },
      { what: 'longest hole h, as min(h / 0.5 s, lost / 8)', score: '1 at 0.5, 0 at 1.5' },
      { what: 'jitter, 95th percentile of |Δ/Δ̃ − 1|', score: '1 at 0.35, 0 at 0.95' },
      { what: '|ln(rate / declared rate)|', score: '1 at 0.02, 0 at 0.1' },
      {
        what: 'what the recorder itself says it dropped, share of the duration',
        score: '1 at 0.5 %, 0 at 5 %',
      },
      { what: 'the longest of these drops', score: '1 at 0.25 s, 0 at 0.5 s' },
      {
        what: 'missing rows seen in the signals: share of moving rows, one left out as chance, at which state and action both leap over 1.4 of the motion around',
        score: '1 at 1.5 %, 0 at 5 %',
      },
      {
        what: 'one row where a share s of all dimensions leaps, standing out by i: s · i',
        score: '1 at 0.5, 0 at 1.5',
      },
    ],
    notes: [
      'Where the recorder notes itself what it loses, Δ̃ is the 95th percentile if that is a hole',
      'Five and more long steps in a row that are alike are jitter, not holes',
      'Jitter of setpoints that an autopilot logged is not graded',
      'Computed stamps (frame index / rate) prove nothing when even and count only when broken; then missing rows are looked for in the signals',
      'No sign and only computed stamps: not assessable, or inapplicable where the format keeps no times by design',
      'Of streams whose samples come when something happens (velocity commands, goals), only stamps that are not finite or run backwards count',
    ],
  },
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
      code: 'recorder_dropout',
      severity: 'warning',
      meaning: 'The recorder itself says that it lost data.',
      advice: 'Use a faster card or log fewer topics; leave the marked spans out of training.',
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
      ({ role, clock }) => clock !== null && recordedRoles.has(role),
    );
    const { clockless } = subject.episode;
    if (streams.length === 0)
      return clockless === undefined
        ? { status: 'not_assessable', reason: 'no sensor, state, action or camera stream has a clock' }
        : { status: 'inapplicable', reason: `${clockless}: there are no stamps to judge` };
    const faulty: ClockFacts[] = [];
    // Columns of one table share their timestamps; report a defect once.
    const checkedClocks = new Set<ClockFeatures>();
    let synthesised = 0;
    for (const stream of streams) {
      if (clockOf(stream)!.provenance === 'synthesised') synthesised++;
      const measured = subject.features.clock(stream)!;
      if (checkedClocks.has(measured) || faulty.length === maxListed) continue;
      checkedClocks.add(measured);
      const clock = adjustClockFeatures(measured, stream, subject.episode);
      if (isFaulty(clock, stream)) faulty.push(createClockFacts(clock, stream));
    }
    if (faulty.length === 0 && !streams.some(shouldKeepRate))
      return {
        status: 'not_assessable',
        reason: 'no stream keeps a rate: samples come when something happens',
      };
    const rows = measureRows(subject);
    const signs = rows !== null && (scoreLeaps(rows) < 1 || scoreCommonLeap(rows) < 1);
    if (synthesised === streams.length && faulty.length === 0 && !signs)
      return clockless === undefined
        ? { status: 'not_assessable', reason: describeUnprovenClock(rows) }
        : { status: 'inapplicable', reason: `${clockless}; ${describeUnprovenClock(rows)}` };
    const dropouts = measureDropouts(subject.episode);
    const values = { clocks: streams.length, faulty, rows: signs ? rows : null, synthesised };
    return { status: 'measured', values: dropouts === null ? values : { ...values, dropouts } };
  },
  judge({ faulty, rows, dropouts }, { wrong_rate }) {
    const aspects: Aspect[] = [];
    const rateOfSet_hz = typeof wrong_rate?.rate_hz === 'number' ? wrong_rate.rate_hz : null;
    for (const facts of faulty) addClockAspects(facts, rateOfSet_hz, aspects);
    if (rows !== null) aspects.push(rowAspect(rows));
    if (dropouts !== undefined) aspects.push(...dropoutAspects(dropouts));
    return aspects;
  },
});

function describeUnprovenClock(rows: RowFacts | null): string {
  const signalEvidence =
    rows === null
      ? 'the signals are too short or too still to show missing rows'
      : `the signals show no missing rows (${rows.leaping} of ${rows.moving} moving rows leap)`;
  return `provenance synthesised: every stamp is computed (frame index / rate) and proves nothing about capture; ${signalEvidence}`;
}
