const labels: Readonly<Record<string, string>> = {
  ratio: 'share, 0 to 1',
  grade: '0 to 1',
  loss: '0 to 1',
  stamps: 'timestamps',
};

/** Returns the label of a metric's unit beside values in that unit, such as `share, 0 to 1` for `ratio`. */
export function unitLabel(unit: string): string {
  return Object.hasOwn(labels, unit) ? labels[unit] : unit;
}

/**
 * Formats a metric's value with four digits and its unit: `ratio` and `share of range` in per cent, `grade` and `loss`
 * without a unit, `stamps` as `timestamps`, others as in `6.126 ms`.
 */
export function measureText(value: number, unit: string): string {
  const text = (number: number) => String(Number(number.toPrecision(4)));
  if (unit === 'ratio') return `${text(100 * value)} %`;
  if (unit === 'share of range') return `${text(100 * value)} % of range`;
  if (unit === 'grade' || unit === 'loss') return text(value);
  return `${text(value)} ${unitLabel(unit)}`;
}
