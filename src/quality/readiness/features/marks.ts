import { type Stream, timesOf } from '#core/episode';
import { plain } from './plain.ts';

/**
 * When a row of a stream was: its stamp, or its place on the declared grid where it has no clock; null when neither
 * is known or the stamp is no number.
 */
function timeOfRow(stream: Stream, row: number): number | null {
  const times = timesOf(stream);
  const at = Math.min(Math.max(0, row), Math.max(0, stream.sample_count - 1));
  const time_s = times === null ? atDeclaredRate(stream, at) : times[at];
  return time_s !== undefined && Number.isFinite(time_s) ? plain(time_s, 9) : null;
}

function atDeclaredRate(stream: Stream, row: number): number {
  return stream.declared_rate_hz === null ? NaN : row / stream.declared_rate_hz;
}

/** `[from, to]` in seconds of each span of rows, at most 16, those without a time left out. */
export function spansInSeconds(
  stream: Stream,
  spans: readonly { readonly from: number; readonly to: number }[],
): [number, number][] {
  const out: [number, number][] = [];
  for (const span of spans) {
    const from_s = timeOfRow(stream, span.from);
    const to_s = timeOfRow(stream, span.to);
    if (from_s === null || to_s === null || out.length === 16) continue;
    out.push(from_s <= to_s ? [from_s, to_s] : [to_s, from_s]);
  }
  return out;
}
