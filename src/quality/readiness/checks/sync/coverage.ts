import type { Stream, StreamRole } from '#core/episode';
import type { Aspect, Subject } from '../../check.ts';
import { plain } from '../../features/plain.ts';
import { ramp } from '../../features/ramp.ts';

/** From when to when one stream has samples. */
export type Coverage = {
  readonly stream: string;
  /** null: its start says nothing of the recorder. */
  readonly first_s: number | null;
  readonly last_s: number;
  readonly step_s: number;
};

/** The time that any stream covers, null where no two have stamps; and the streams that miss most of it, worst first. */
export type CoverageFacts = {
  readonly window_s: readonly [number, number] | null;
  readonly streams: readonly Coverage[];
};

const mostListed = 8;
const none: CoverageFacts = { window_s: null, streams: [] };

/** What an autopilot estimates: it has an attitude once it is aligned, and a position once there is a fix. */
const estimated: ReadonlySet<StreamRole> = new Set<StreamRole>(['attitude', 'odometry']);

/**
 * The coverage of streams with recorded stamps. An autopilot's setpoints come and go with arming and flight modes, and
 * its estimates begin when they can be made: neither is a loss of the recorder.
 */
export function coverageOf(timed: readonly Stream[], { features, kind }: Subject): CoverageFacts {
  if (timed.length < 2) return none;
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
      first_s: flies && estimated.has(stream.role) ? null : plain(clock.first_s),
      last_s: plain(clock.last_s),
      step_s: plain(clock.median_step_s),
    });
  }
  if (covered.length < 2) return none;
  const missed = ({ first_s, last_s }: Coverage): number => Math.max((first_s ?? from) - from, to - last_s);
  covered.sort((a, b) => missed(b) - missed(a) || (a.stream < b.stream ? -1 : 1));
  return { window_s: [plain(from), plain(to)], streams: covered.slice(0, mostListed) };
}

/** Adds what one stream misses of the window, at its start and at its end. */
export function addCoverageAspects(
  { stream, first_s, last_s, step_s }: Coverage,
  [from_s, to_s]: readonly [number, number],
  aspects: Aspect[],
): void {
  const whole = to_s - from_s;
  if (!(whole > 0)) return;
  const allowed = 2 * step_s + 0.1;
  const late = first_s === null ? 0 : Math.max(0, first_s - from_s - allowed);
  const early = Math.max(0, to_s - last_s - allowed);
  if (first_s !== null && late > 0)
    aspects.push({
      flag: 'stream_starts_late',
      score: ramp(late / whole, 0.02, 0.14),
      observed: plain(late / whole),
      message: () =>
        `${stream} starts ${plain(first_s - from_s, 3)} s after the first stream, of ${plain(whole, 3)} s`,
      marks: [{ stream, from_s, to_s: first_s }],
    });
  if (early > 0)
    aspects.push({
      flag: 'stream_ends_early',
      score: ramp(early / whole, 0.02, 0.14),
      observed: plain(early / whole),
      message: () =>
        `${stream} ends ${plain(to_s - last_s, 3)} s before the last stream, of ${plain(whole, 3)} s`,
      marks: [{ stream, from_s: last_s, to_s }],
    });
}
