import type { ReceiptFacts } from '#core/api';
import { type Stream, timesOf } from '#core/episode';
import type { Subject } from '../check.ts';
import { peakLag } from '../features/lag/content-lag.ts';
import { plain } from '../features/plain.ts';
import { type LagPeak, lagPeak } from './lag-peak.ts';
import { pictureTrace, speedTrace, type Trace } from './motion-traces.ts';

type LagFacts = NonNullable<ReceiptFacts['content_lag']>;

/** What a peak must be for its lag to be believed. Set on generated motion with known lags, and on real Unitree G1 video. */
const trusted = { peak: 0.5, second_ratio: 0.75, width_s: 0.6, excitation: [0.1, 0.95] } as const;
/** A lag of action and state is believed from this correlation on. */
const leastControlPeak = 0.65;

/**
 * The shift between what moves in the pictures and what moves in the signals: of the surest camera, against the state or,
 * without one, the IMU. Null where no camera and signal can be compared.
 */
export function contentLagFacts(subject: Subject): LagFacts | null {
  const signal = signalOf(subject);
  const speed = signal === null ? null : speedTrace(signal);
  if (signal === null || speed === null) return null;
  const found = cameraPeaks(subject, signal, speed);
  if (found.length === 0) return null;
  const sure = found.filter(({ peak }) => doubtOf(peak) === null);
  const pool = sure.length > 0 ? sure : found;
  const { camera, peak } = pool.reduce((most, next) => (isWorse(next, most, sure.length > 0) ? next : most));
  const reason = doubtOf(peak);
  return {
    against: signal.id,
    camera,
    cameras: found.length,
    control_delay_ms: controlDelay(subject),
    excitation: plain(peak.excitation, 4),
    lag_ms: plain(1000 * peak.lag_s, 4),
    peak: plain(peak.peak, 4),
    reason,
    samples: peak.samples,
    second_ratio: plain(peak.second_ratio, 4),
    step_ms: plain(1000 * peak.step_s, 4),
    sure: reason === null,
    width_ms: plain(1000 * peak.width_s, 4),
  };
}

interface CameraPeak {
  readonly camera: string;
  readonly peak: LagPeak;
}

/** Among sure ones the larger lag, among the others the clearer peak. */
function isWorse(one: CameraPeak, other: CameraPeak, sure: boolean): boolean {
  return sure ? Math.abs(one.peak.lag_s) > Math.abs(other.peak.lag_s) : one.peak.peak > other.peak.peak;
}

function signalOf({ episode, features }: Subject): Stream | null {
  const pair = features.pair();
  const numeric = (role: Stream['role']) =>
    episode.streams.find((stream) => stream.role === role && stream.series !== undefined);
  return pair?.state ?? numeric('state') ?? numeric('imu') ?? null;
}

function cameraPeaks({ episode, cameras }: Subject, signal: Stream, speed: Trace): CameraPeak[] {
  return episode.streams.flatMap((stream) => {
    const evidence = cameras.get(stream.id);
    if (stream.frames === undefined || evidence === undefined) return [];
    const pictures = pictureTrace(stream, evidence, timesOf(signal));
    const peak = pictures === null ? null : lagPeak(pictures, speed);
    return peak === null ? [] : [{ camera: stream.id, peak }];
  });
}

/** Why a lag is not believed; null where it is. */
function doubtOf({ peak, second_ratio, width_s, excitation, at_end }: LagPeak): string | null {
  if (at_end) return 'the correlation still rises at the end of what was searched';
  if (peak < trusted.peak) return 'pictures and signals have too little motion in common';
  if (excitation < trusted.excitation[0]) return 'the signals hardly move';
  if (excitation > trusted.excitation[1]) return 'the signals move evenly all the time';
  if (width_s > trusted.width_s) return 'the peak of the correlation is broad';
  return second_ratio > trusted.second_ratio ? 'another shift fits nearly as well' : null;
}

function controlDelay({ features }: Subject): number | null {
  const lag = features.contentLag();
  return lag === null || lag.peak < leastControlPeak ? null : plain(1000 * peakLag(lag) * lag.step_s, 4);
}
