/** Middle value; of an even count the upper one. 0 of nothing. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return Float64Array.from(values).sort()[values.length >> 1];
}
