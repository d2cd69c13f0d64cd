const mostRanges = 8;

/** Numbers in ascending order as `0, 3, 6-99`; what is beyond `most` ranges is counted. */
export function rangesText(numbers: readonly number[], most = mostRanges): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges.length > most ? ranges.slice(0, most) : ranges;
  const text = shown.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
  const rest = ranges.slice(shown.length).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return rest === 0 ? text : `${text} and ${rest} more`;
}
