import { AssayError } from '#core';
import type { Clock, Stream } from '#core/episode';
import type { FileArrays } from '../shared/step-arrays/file-arrays.ts';
import {
  checkSteps,
  checkStored,
  clockOfSteps,
  type KnownRate,
} from '../shared/step-arrays/numeric-stream.ts';

/** What AgiBot records at. */
export const frameRate: KnownRate = { hz: 30, source: 'AgiBot World is recorded at 30 Hz' };

/** When each frame of an episode was. */
export interface FrameClock {
  readonly clock: Clock;
  readonly reason: string;
  readonly start_ns: string | null;
}

type ClockPart = Pick<Stream, 'clocks' | 'clock' | 'declared_rate_hz'>;

/** By /timestamp, nanoseconds since the UNIX epoch; computed for so many frames where that is empty or absent. */
export async function frameClock(
  { arrays }: FileArrays,
  path: string,
  frames: number,
  unread: (error: AssayError) => void,
): Promise<FrameClock> {
  const dataset = arrays.get('timestamp');
  if (dataset !== undefined && dataset.rows > 0 && dataset.isNumeric && dataset.rowElements === 1) {
    checkSteps(dataset.rows, path);
    try {
      await checkStored(dataset, path);
      return clockFrom(await dataset.readNumbers());
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      unread(thrown);
    }
  }
  checkSteps(frames, path);
  const { clock, choice } = clockOfSteps(frames, frameRate);
  return { clock, reason: choice.reason, start_ns: null };
}

/** The difference is taken in whole nanoseconds: as floats they are good to a quarter of a microsecond only. */
function clockFrom(stamps: ArrayLike<number> | ArrayLike<bigint>): FrameClock {
  const first = stamps[0];
  const zero =
    typeof first === 'bigint' ? first : BigInt(Number.isFinite(first) ? Math.round(first ?? 0) : 0);
  const time_s = new Float64Array(stamps.length);
  for (let frame = 0; frame < time_s.length; frame++) {
    const stamp = stamps[frame];
    time_s[frame] = Number(typeof stamp === 'bigint' ? stamp - zero : Number(stamp) - Number(zero)) / 1e9;
  }
  return {
    clock: { name: '/timestamp', provenance: 'log', time_s },
    reason:
      'the stamps of the frames, to which all signals were aligned; whether of capture or of arrival is not said',
    start_ns: zero > 0n ? zero.toString() : null,
  };
}

/** A stream that has a sample for every frame; without times where it has not. */
export function everyFrame({ clock, reason }: FrameClock, samples: number): ClockPart {
  const fits = samples === clock.time_s.length;
  return {
    clocks: fits ? [clock] : [],
    clock: fits ? { index: 0, reason } : null,
    declared_rate_hz: frameRate.hz,
  };
}

/** A stream whose samples belong to the frames named. */
export function atFrames({ clock }: FrameClock, frames: ArrayLike<number>, named: string): ClockPart {
  const { time_s, provenance } = clock;
  const own = Float64Array.from({ length: frames.length }, (_, i) => time_s[frames[i] ?? 0] ?? 0);
  return {
    clocks: [{ name: `/timestamp at ${named}`, provenance, time_s: own }],
    clock: { index: 0, reason: `each row is a command that was sent at the frame that ${named} names` },
    declared_rate_hz: null,
  };
}
