/** Rows of a stream that lie in a span of time, first and last; null without any. Stamps may run backwards. */
export function rowsIn(
  time_s: Float64Array,
  from_s: number,
  until_s: number | null,
): readonly [first: number, last: number] | null {
  const lies = (time: number) => time >= from_s && (until_s === null || time < until_s);
  const first = time_s.findIndex(lies);
  return first < 0 ? null : [first, time_s.findLastIndex(lies)];
}
