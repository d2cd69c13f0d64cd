const mostRanges = 4;

/** `177 to 180, 200`: numbers in order, the first few runs of them. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges
    .slice(0, mostRanges)
    .map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  return shown.join(', ') + (ranges.length > mostRanges ? ', …' : '');
}
