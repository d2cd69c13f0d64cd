import { clockOf, type Stream, type StreamRole, shouldKeepRate } from '#core/episode';
import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck, type Subject } from '../check.ts';
import { maxLagSteps } from '../features/content-lag.ts';
import { ramp, roundFinite } from '../features/numeric.ts';

type Lag = {
  readonly stream: string;
  readonly lag_rows: number;
  readonly lag_s: number;
  readonly peak: number;
  readonly sharpness: number;
  /** Peak minus the highest correlation at an acceptable lag. */
  readonly excess: number;
  readonly action_space: string;
  readonly dimensions: number;
};

type Values = CoverageFacts & {
  readonly rates_hz: { readonly action: number; readonly state: number } | null;
  readonly lag: Lag | null;
};

const timedRoles: ReadonlySet<StreamRole> = new Set<StreamRole>([
  'action',
  'state',
  'camera',
  'depth',
  'imu',
  'attitude',
  'odometry',
  'vehicle',
  'lidar',
  'effort',
  'tactile',
]);

export const signalSync = defineCheck<Values>({
  id: 'signal_sync',
  title: checkTitles.signal_sync,
  needs: 'two streams with recorded timestamps, or a state and an action with matching dimensions',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula: {
    combine: 'minimum of',
    aspects: [
      {
        what: 'time that a stream misses at its start or end, beyond two sample intervals and 0.1 s, as a share of the total time covered',
        score: '1 at 2 %, 0 at 14 %',
      },
      { what: 'ratio of the action and state rates', score: '1 up to 20, 0 at 100' },
      {
        what: 'lag of the state behind its action',
        score: 'the higher of 1 at 6 rows, 0 at 12 rows, and 1 at 0.18 s, 0 at 0.4 s',
      },
      {
        what: 'lead of the state before its action',
        score: 'the higher of 1 at 1 row, 0 at 5 rows, and 1 at 0.04 s, 0 at 0.17 s',
      },
    ],
    notes: [
      'The lag (at most 32 rows) is the peak of the normalised cross-correlation of velocities (central differences), summed over the three smooth dimensions with the widest range',
      'The loss is weighted by (peak − best correlation at an acceptable lag) / 0.03, so that a broad peak does not fail an episode; peaks below 0.65 or at the end of the search range are ignored',
      'For flights, setpoints and the start of estimates do not count as missed time',
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'middle of each ramp; clean G1 and GR1 teleoperation lags by 2 to 4 rows (0.1 to 0.15 s), and 5 or 10 injected rows are measured to within one row',
  },
  weight: 2,
  flags: [
    {
      code: 'action_state_lag',
      severity: 'warning',
      meaning:
        'The state follows its action much later, or earlier, than a robot would: the streams are shifted in time.',
      advice:
        'Shift one stream by the reported lag, or align both by capture time; otherwise a policy learns the delay.',
    },
    {
      code: 'stream_starts_late',
      severity: 'warning',
      meaning: 'A stream has no samples at the beginning of the episode.',
      advice: 'Trim the episode to the time that all streams cover.',
    },
    {
      code: 'stream_ends_early',
      severity: 'warning',
      meaning: 'A stream has no samples at the end of the episode.',
      advice: 'Trim the episode to the time that all streams cover; check why the sensor stopped.',
    },
    {
      code: 'rates_far_apart',
      severity: 'warning',
      meaning: 'The rates of action and state differ so much that few samples can be paired.',
      advice: 'Check that both topics are mapped correctly; resample to the slower one.',
    },
  ],
  calibrated_on:
    '105 real LeRobot episodes (Unitree G1, Fourier GR1) with injected lags; real ROS recordings',
  measure(subject) {
    const following = subject.episode.streams.filter(
      (stream) => timedRoles.has(stream.role) && shouldKeepRate(stream),
    );
    if (following.length < 2)
      return { status: 'inapplicable', reason: 'only one stream: nothing to synchronize with' };
    const timed = following.filter((stream) => stream.sample_count >= 3 && isRecorded(stream));
    const lag = measureLag(subject);
    if (timed.length < 2 && lag === null)
      return { status: unmeasuredStatus(subject), reason: unmeasuredReason(subject) };
    return {
      status: 'measured',
      values: { lag, rates_hz: measureRates(subject), ...measureCoverage(timed, subject) },
    };
  },
  judge({ window_s, streams, rates_hz, lag }) {
    const aspects: Aspect[] = [];
    if (window_s !== null) for (const stream of streams) addCoverageAspects(stream, window_s, aspects);
    if (rates_hz !== null) {
      const ratio = Math.max(rates_hz.action / rates_hz.state, rates_hz.state / rates_hz.action);
      aspects.push({
        flag: 'rates_far_apart',
        score: ramp(ratio, 20, 100),
        observed: roundFinite(ratio),
        message: () => `action at ${rates_hz.action} Hz, state at ${rates_hz.state} Hz`,
      });
    }
    if (lag !== null) aspects.push(lagAspect(lag));
    return aspects;
  },
});

function isRecorded(stream: Stream): boolean {
  const clock = clockOf(stream);
  return clock !== null && clock.provenance !== 'synthesised';
}

/**
 * Returns the status of an unmeasured episode: `inapplicable` if the format stores no times by design, else
 * `not_assessable`.
 */
function unmeasuredStatus({ episode }: Subject): 'inapplicable' | 'not_assessable' {
  return episode.clockless === undefined ? 'not_assessable' : 'inapplicable';
}

function unmeasuredReason({ episode, features }: Subject): string {
  const clocks = episode.streams.filter(({ clock }) => clock !== null);
  const stamps =
    clocks.length > 0 && clocks.every((stream) => !isRecorded(stream))
      ? 'all timestamps are computed (provenance synthesised) and agree by construction'
      : 'fewer than two streams have recorded timestamps';
  const motion =
    features.pair() === null
      ? 'no action and state to compare'
      : 'action and state have no common dimensions that move enough to correlate';
  return `${episode.clockless ?? stamps}; ${motion}`;
}

function measureRates({ features }: Subject): Values['rates_hz'] {
  const pair = features.pair();
  if (pair === null || pair.same_rows || !isRecorded(pair.action) || !isRecorded(pair.state)) return null;
  const action = features.clock(pair.action)!.median_step_s;
  const state = features.clock(pair.state)!.median_step_s;
  return action > 0 && state > 0 ? { action: roundFinite(1 / action), state: roundFinite(1 / state) } : null;
}

function measureLag({ features }: Subject): Lag | null {
  const pair = features.pair();
  const found = features.contentLag();
  // At the largest lag the correlation may still rise, so it is not a peak.
  if (pair === null || found === null || found.peak < minPeak || Math.abs(found.lag) === maxLagSteps)
    return null;
  const { rows_a_step, step_s, lag, correlation } = found;
  let acceptable = -1;
  for (let k = -maxLagSteps; k <= maxLagSteps; k++) {
    if (scoreLag(k * rows_a_step, k * step_s) === 1)
      acceptable = Math.max(acceptable, correlation[k + maxLagSteps]);
  }
  return {
    stream: pair.state.id,
    lag_rows: lag * rows_a_step,
    lag_s: roundFinite(lag * step_s),
    peak: roundFinite(found.peak, 4),
    sharpness: roundFinite(found.sharpness, 4),
    excess: roundFinite(Math.max(0, found.peak - acceptable), 4),
    action_space: found.action_space,
    dimensions: found.dimensions,
  };
}

/** Minimum correlation of a lag; less is chance. */
const minPeak = 0.65;
const fullExcess = 0.03;

function scoreLag(rows: number, seconds: number): number {
  return rows >= 0
    ? Math.max(ramp(rows, 6, 12), ramp(seconds, 0.18, 0.4))
    : Math.max(ramp(-rows, 1, 5), ramp(-seconds, 0.04, 0.17));
}

function lagAspect({ lag_rows, lag_s, peak, excess, sharpness }: Lag): Aspect {
  const certainty = Math.min(1, Math.max(0, excess / fullExcess));
  return {
    flag: 'action_state_lag',
    score: 1 - certainty * (1 - scoreLag(lag_rows, lag_s)),
    observed: lag_s,
    message: () =>
      `the state ${lag_rows < 0 ? 'leads' : 'lags behind'} its action by ${Math.abs(lag_rows)} rows (${roundFinite(Math.abs(lag_s), 3)} s), correlation ${peak} (five rows away: ${roundFinite(peak - sharpness, 4)})`,
  };
}

/** Time covered by the samples of one stream. */
type Coverage = {
  readonly stream: string;
  /** Time of the first sample; `null` if the start does not depend on the recorder. */
  readonly first_s: number | null;
  readonly last_s: number;
  readonly step_s: number;
};

/**
 * Time that any stream covers, `null` if fewer than two have timestamps; and the streams that miss most of
 * it, worst first.
 */
type CoverageFacts = {
  readonly window_s: readonly [number, number] | null;
  readonly streams: readonly Coverage[];
};

const maxListed = 8;
const emptyCoverage: CoverageFacts = { window_s: null, streams: [] };

/** Roles of an autopilot's estimates, which start only after alignment or with the first fix. */
const estimatedRoles: ReadonlySet<StreamRole> = new Set<StreamRole>(['attitude', 'odometry']);

/**
 * Measures the coverage of streams with recorded timestamps. In flights, setpoints are ignored and estimates
 * have no start, since both depend on arming and flight modes, not on the recorder.
 */
function measureCoverage(timed: readonly Stream[], { features, kind }: Subject): CoverageFacts {
  if (timed.length < 2) return emptyCoverage;
  const flies = kind === 'aerial-flight';
  let from = Infinity;
  let to = -Infinity;
  const covered: Coverage[] = [];
  for (const stream of timed) {
    const clock = features.clock(stream)!;
    if (!Number.isFinite(clock.first_s) || !Number.isFinite(clock.last_s)) continue;
    from = Math.min(from, clock.first_s);
    to = Math.max(to, clock.last_s);
    if (flies && stream.role === 'action') continue;
    covered.push({
      stream: stream.id,
      first_s: flies && estimatedRoles.has(stream.role) ? null : roundFinite(clock.first_s),
      last_s: roundFinite(clock.last_s),
      step_s: roundFinite(clock.median_step_s),
    });
  }
  if (covered.length < 2) return emptyCoverage;
  const missed = ({ first_s, last_s }: Coverage): number => Math.max((first_s ?? from) - from, to - last_s);
  covered.sort((a, b) => missed(b) - missed(a) || (a.stream < b.stream ? -1 : 1));
  return { window_s: [roundFinite(from), roundFinite(to)], streams: covered.slice(0, maxListed) };
}

/** Adds aspects for the time that a stream misses at the start and end of the window. */
function addCoverageAspects(
  { stream, first_s, last_s, step_s }: Coverage,
  [from_s, to_s]: readonly [number, number],
  aspects: Aspect[],
): void {
  const window_length_s = to_s - from_s;
  if (!(window_length_s > 0)) return;
  const allowed = 2 * step_s + 0.1;
  const late = first_s === null ? 0 : Math.max(0, first_s - from_s - allowed);
  const early = Math.max(0, to_s - last_s - allowed);
  if (first_s !== null && late > 0)
    aspects.push({
      flag: 'stream_starts_late',
      score: ramp(late / window_length_s, 0.02, 0.14),
      observed: roundFinite(late / window_length_s),
      message: () =>
        `${stream} starts ${roundFinite(first_s - from_s, 3)} s after the first stream (episode: ${roundFinite(window_length_s, 3)} s)`,
      marks: [{ stream, from_s, to_s: first_s }],
    });
  if (early > 0)
    aspects.push({
      flag: 'stream_ends_early',
      score: ramp(early / window_length_s, 0.02, 0.14),
      observed: roundFinite(early / window_length_s),
      message: () =>
        `${stream} ends ${roundFinite(to_s - last_s, 3)} s before the last stream (episode: ${roundFinite(window_length_s, 3)} s)`,
      marks: [{ stream, from_s: last_s, to_s }],
    });
}
