import type { JsonObject } from '#core';
import type { Clock, Episode, Stream } from '#core/episode';
import type { Check, ComparedNotes } from '../check.ts';
import { testSubject } from './test-subject.ts';

/** A copy whose numbers are what `change` makes of them, row by row and dimension by dimension. For tests. */
export function changed(
  stream: Stream,
  change: (value: number, row: number, dimension: number) => number,
): Stream {
  const { values, dims } = stream.series!;
  const copy = values.slice();
  for (let at = 0; at < copy.length; at++) copy[at] = change(values[at], Math.floor(at / dims), at % dims);
  return { ...stream, series: { values: copy, dims } };
}

/** The rows of a stream for which `keep` holds, their stamps as they were. For tests. */
export function keptRows(stream: Stream, keep: (row: number) => boolean): Stream {
  const rows = Array.from({ length: stream.sample_count }, (_, row) => row).filter(keep);
  const { values, dims } = stream.series!;
  const copy = new Float32Array(rows.length * dims);
  rows.forEach((row, i) => {
    copy.set(values.subarray(row * dims, (row + 1) * dims), i * dims);
  });
  const kept = (clock: Clock): Clock => ({
    ...clock,
    time_s: Float64Array.from(rows, (r) => clock.time_s[r]),
  });
  return {
    ...stream,
    sample_count: rows.length,
    clocks: stream.clocks.map(kept),
    series: { values: copy, dims },
  };
}

/** The same stream stamped anew. For tests. */
export function stamped(
  stream: Stream,
  provenance: Clock['provenance'],
  at: (row: number) => number = (row) => row / (stream.declared_rate_hz ?? 30),
): Stream {
  const time_s = Float64Array.from({ length: stream.sample_count }, (_, row) => at(row));
  return { ...stream, clocks: [{ name: 'timestamp', provenance, time_s }] };
}

export interface Judged {
  readonly status: string;
  readonly reason: string | null;
  readonly values: JsonObject | null;
  readonly score: number;
  /** Flags that are up at the check's own threshold. */
  readonly flags: readonly string[];
  readonly messages: readonly string[];
  readonly marked: number;
}

/** Measures and judges an episode by one check. For tests. */
export function judged(check: Check, episode: Episode, notes: ComparedNotes = {}): Judged {
  const measured = check.measure(testSubject(episode));
  if (measured.status !== 'measured')
    return {
      status: measured.status,
      reason: measured.reason,
      values: null,
      score: 1,
      flags: [],
      messages: [],
      marked: 0,
    };
  const aspects = check.judge(measured.values, notes);
  const up = aspects.filter((aspect) => aspect.score < check.threshold.value);
  return {
    status: 'measured',
    reason: null,
    values: measured.values,
    score: Math.min(1, ...aspects.map((aspect) => aspect.score)),
    flags: up.map((aspect) => aspect.flag),
    messages: up.map((aspect) => aspect.message()),
    marked: up.reduce((count, aspect) => count + (aspect.marks?.length ?? 0), 0),
  };
}
