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
  scoreCommonJumps,
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
  needs:
    'timestamps on at least one sensor, state, action or camera stream; only recorded timestamps are evidence of capture',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula: {
    combine: 'minimum over the streams, where Δ is the interval between timestamps and Δ̃ its median',
    aspects: [
      {
        what: 'timestamps that are not finite or go backwards, b of n',
        score: '0.25 · (1 − 20 b/n), 1 when b = 0',
      },
      { what: 'share of repeated timestamps', score: '1 at 0, 0 at 0.3 %' },
      {
        what: 'samples m lost in gaps (Δ > 1.75 Δ̃, minus samples that a burst caught up), m/(n + m)',
        score: '1 at 0.5 %, 0 at 5 %',
      },
      { what: 'longest gap h, as min(h / 0.5 s, lost samples / 8)', score: '1 at 0.5, 0 at 1.5' },
      { what: 'jitter, 95th percentile of |Δ/Δ̃ − 1|', score: '1 at 0.35, 0 at 0.95' },
      { what: '|ln(rate / declared rate)|', score: '1 at 0.02, 0 at 0.1' },
      {
        what: 'dropouts reported by the recorder, share of the duration',
        score: '1 at 0.5 %, 0 at 5 %',
      },
      { what: 'longest reported dropout', score: '1 at 0.25 s, 0 at 0.5 s' },
      {
        what: 'missing rows inferred from the signals: share of moving rows (ignoring one as chance) at which both state and action jump by more than 1.4 times the surrounding motion',
        score: '1 at 1.5 %, 0 at 5 %',
      },
      {
        what: 'one row at which a share s of all dimensions jumps, by i times the surrounding motion: s · i',
        score: '1 at 0.5, 0 at 1.5',
      },
      {
        what: 'rows at which a third of the dimensions of both state and action, and at least two, move at least twice as far as in each of the five rows before and after',
        score: '1 below two rows, 0.3 from two on',
      },
    ],
    notes: [
      'If the recorder logs its own losses, Δ̃ is the 95th percentile if that is a gap',
      'Five or more similar long intervals in a row count as jitter, not as gaps',
      'Jitter of setpoints logged by an autopilot is not scored',
      'Computed timestamps (frame index / rate) are regular by construction and count only if they are broken; missing rows are then inferred from the signals',
      'With only computed timestamps and no sign of missing rows, the check is not assessable, or inapplicable if the format stores no timestamps by design',
      'For event-driven streams (velocity commands, goals), only timestamps that are not finite or go backwards count',
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'middle of each ramp: about 3 % of samples lost (Aria VrsHealthCheck warns at 1 % and fails at 2 to 10 %), 0.15 % repeated timestamps, 6 % off the declared rate; jumps in real G1 and GR1 episodes: at most 1.4 % in clean ones, 4 % with one row in twenty removed',
  },
  weight: 3,
  flags: [
    {
      code: 'timestamps_not_finite',
      severity: 'blocking',
      meaning: 'Timestamps are NaN or infinite.',
      advice:
        'Rewrite the timestamps from the source recording; samples without a valid timestamp cannot be aligned.',
    },
    {
      code: 'timestamps_not_monotonic',
      severity: 'blocking',
      meaning: 'Timestamps go backwards at least once: they were swapped, or samples are out of order.',
      advice: 'Sort the samples by capture time, or find the process that writes them out of order.',
    },
    {
      code: 'timestamps_duplicated',
      severity: 'warning',
      meaning: 'Consecutive samples share a timestamp: a sample was written twice, or the clock stopped.',
      advice: 'Drop the repeated samples, or use the sensor’s own timestamps.',
    },
    {
      code: 'timeline_gap',
      severity: 'warning',
      meaning: 'Samples were lost: the timestamps have gaps, or the signals jump as they do across a gap.',
      advice: 'Check the recorder for a full queue or a stalled disk; cut the episode at the gap.',
    },
    {
      code: 'recorder_dropout',
      severity: 'warning',
      meaning: 'The recorder reports lost data.',
      advice: 'Use faster storage or log fewer topics; exclude the marked spans from training.',
    },
    {
      code: 'rows_missing',
      severity: 'blocking',
      meaning: 'Many samples are missing, judging by gaps in the timestamps or jumps in the signals.',
      advice:
        'Record the episode again, or restore the rows; without them the motion is faster than the robot moved.',
    },
    {
      code: 'clock_jitter',
      severity: 'warning',
      meaning: 'Sample intervals vary so much that a fixed rate misrepresents the motion.',
      advice: 'Use the sensor’s timestamps, or resample by them before training at a fixed rate.',
    },
    {
      code: 'rate_mismatch',
      severity: 'warning',
      meaning: 'The measured sample rate differs from the declared rate.',
      advice: 'Correct the declared rate; velocities and action chunks are computed from it.',
    },
  ],
  calibrated_on:
    '105 real LeRobot episodes (Unitree G1, Fourier GR1), unmodified and with rows removed; real ROS 1 and ROS 2 recordings',
  measure(subject) {
    const streams = subject.episode.streams.filter(
      ({ role, clock }) => clock !== null && recordedRoles.has(role),
    );
    const { clockless } = subject.episode;
    if (streams.length === 0)
      return clockless === undefined
        ? { status: 'not_assessable', reason: 'no sensor, state, action or camera stream has timestamps' }
        : { status: 'inapplicable', reason: `${clockless}: no timestamps to check` };
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
        reason: 'all streams are event-driven: none has a fixed rate',
      };
    const rows = measureRows(subject);
    const signs =
      rows !== null && Math.min(scoreLeaps(rows), scoreCommonLeap(rows), scoreCommonJumps(rows)) < 1;
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
      ? 'the signals are too short or move too little to reveal missing rows'
      : `the signals show no missing rows (${rows.leaping} of ${rows.moving} moving rows jump)`;
  return `all timestamps are computed (frame index / rate, provenance synthesised) and are no evidence of capture times; ${signalEvidence}`;
}
