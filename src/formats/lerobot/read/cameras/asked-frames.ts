import type { AskedFrames } from '#core/episode';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { tolerance_s } from '../../rules/readers.ts';
import type { ChosenClock } from '../clock.ts';
import type { VideoSpan } from '../episodes/episode-table.ts';

/** What the library asks a video for: from_timestamp + the row's stamp. */
export function askedOf(
  set: LeRobotSet,
  key: string,
  span: VideoSpan,
  rows: number,
  rate_hz: number,
): AskedFrames {
  const until_s = set.windows(key)?.startAfter(span.path, span.from_s) ?? null;
  return { rows, rate_hz, tolerance_s, until_s };
}

/**
 * The rate that rows are stamped at: fps, or another where all stamps agree on one (fps is declared wrongly then).
 * Stamps off any grid are a fault of their own, and videos are held to fps.
 */
export function stampedRate(chosen: ChosenClock | null, fps: number | null): number | null {
  const stamps = chosen?.clock.time_s;
  if (stamps === undefined || stamps.length < 3) return fps;
  const last = stamps.length - 1;
  const lasts_s = stamps[last] - stamps[0];
  if (fps !== null && Math.abs(lasts_s - last / fps) < tolerance_s) return fps;
  const step_s = lasts_s / last;
  for (let row = 1; row <= last; row++)
    if (!(Math.abs(stamps[row] - stamps[0] - row * step_s) < tolerance_s)) return fps;
  // Stamps are float32, so that a rate worked out from them is off in its last digits.
  return step_s > 0 ? Math.round(1000 / step_s) / 1000 : fps;
}
