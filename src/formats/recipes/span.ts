import { type Episode, type Stream, timesOf } from '#core/episode';

/** Why an episode begins or ends where it does. */
export type Boundary = 'recording' | 'value' | 'edge' | 'message' | 'event' | 'gap' | 'window' | 'max_length';

/** A span of a recording in its own seconds; `to_s` is exclusive. */
export interface Span {
  readonly from_s: number;
  readonly to_s: number;
  readonly begins: Boundary;
  readonly ends: Boundary;
}

/** First and last stamp over all streams; `to_s` lies just behind the last. Null: nothing has a time. */
export function extentOf(streams: readonly Stream[]): { from_s: number; to_s: number } | null {
  let from_s = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const stream of streams) {
    for (const time of timesOf(stream) ?? []) {
      if (time < from_s) from_s = time;
      if (time > last) last = time;
    }
  }
  if (!(last >= from_s)) return null;
  return { from_s, to_s: behind(last) };
}

/** The least time that is surely later, so that a half-open span holds its last sample. */
export function behind(time_s: number): number {
  return time_s + Math.max(1e-9, Math.abs(time_s) * 2 ** -50);
}

/**
 * First row whose stamp, or any before it, reaches `time_s`. Counting from the latest stamp so far keeps rows in one
 * piece where stamps go back, so that every row falls into exactly one span.
 */
export function rowAt(time_s: Float64Array, wanted: number): number {
  for (let row = 0; row < time_s.length; row++) if (time_s[row] >= wanted) return row;
  return time_s.length;
}

/** The stream of that id. Throws nothing: undefined where the recording has none. */
export function streamOf({ streams }: Episode, id: string): Stream | undefined {
  return streams.find((stream) => stream.id === id);
}
