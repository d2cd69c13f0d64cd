import { escapeHtml, significant } from '#core';
import type { CertifiedMetric } from '#core/api';
import { measureText, unitLabel } from '#core/titles';

const size = { width: 520, height: 134, left: 8, right: 8, top: 16, bottom: 48 } as const;
const bins = 26;

/**
 * Renders an SVG histogram of a metric's values over the episodes, with both thresholds; returns an empty text if no
 * episode has a value.
 */
export function renderDistribution({ title, unit, ideal, review, decisions }: CertifiedMetric): string {
  const values = decisions.flatMap((decision) =>
    decision.applicability === 'applicable' ? [decision.observed] : [],
  );
  if (values.length === 0) return '';
  const [low, high] = computeRange([...values, ideal, review]);
  const counts = countBins(values, low, high);
  const largestCount = Math.max(...counts);
  const x = (value: number) =>
    significant(size.left + ((value - low) / (high - low)) * (size.width - size.left - size.right), 5);
  const floor = size.height - size.bottom;
  const bars = counts.map((count, i) => {
    if (count === 0) return '';
    const height = significant(Math.max(1.5, (count / largestCount) * (floor - size.top)), 4);
    const from = x(low + (i * (high - low)) / bins);
    const to = x(low + ((i + 1) * (high - low)) / bins);
    return `<rect class="bar" x="${from}" y="${significant(floor - height, 5)}" width="${significant(Math.max(1, to - from - 1), 4)}" height="${height}"/>`;
  });
  const line = (kind: 'ideal' | 'review', value: number) =>
    `<line class="${kind}" x1="${x(value)}" x2="${x(value)}" y1="${size.top - 6}" y2="${floor}"/>`;
  const description = `${values.length} values of ${title} from ${measureText(
    values.reduce((a, b) => Math.min(a, b)),
    unit,
  )} to ${measureText(
    values.reduce((a, b) => Math.max(a, b)),
    unit,
  )}; ideal threshold ${measureText(ideal, unit)}, review threshold ${measureText(review, unit)}`;
  return `<svg class="plot" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escapeHtml(description)}">${bars.join('')}<line class="axis" x1="0" x2="${size.width}" y1="${floor}" y2="${floor}"/>${line('ideal', ideal)}${line('review', review)}${renderLabels({ low, high, ideal, review, unit, most: largestCount, x })}</svg>`;
}

interface PlotLabels {
  readonly low: number;
  readonly high: number;
  readonly ideal: number;
  readonly review: number;
  readonly unit: string;
  readonly most: number;
  readonly x: (value: number) => number;
}

function renderLabels({ low, high, ideal, review, unit, most, x }: PlotLabels): string {
  const y = size.height - size.bottom + 14;
  const text = (at: number, row: number, anchor: string, words: string) =>
    `<text x="${at}" y="${y + 14 * row}" text-anchor="${anchor}">${escapeHtml(words)}</text>`;
  const anchor = (at: number) => (at < 90 ? 'start' : at > size.width - 90 ? 'end' : 'middle');
  const bound = (name: string, value: number, row: number) =>
    text(x(value), row, anchor(x(value)), `${name} ${significant(value, 3)}`);
  const bounds =
    ideal === review
      ? bound('ideal = review', ideal, 1)
      : bound('ideal', ideal, 1) + bound('review', review, 2);
  const ends = `${text(0, 0, 'start', `${significant(low, 3)}`)}${text(size.width, 0, 'end', `${significant(high, 3)} ${unitLabel(unit)}`)}`;
  return `${ends}${bounds}<text x="0" y="10">max. ${most} ${most === 1 ? 'episode' : 'episodes'} per bar</text>`;
}

function computeRange(values: readonly number[]): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const margin = high > low ? 0.04 * (high - low) : 0.5 * Math.max(1, Math.abs(high));
  return [low < 0 || low - margin >= 0 ? low - margin : 0, high + margin];
}

function countBins(values: readonly number[], low: number, high: number): number[] {
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) counts[Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))]++;
  return counts;
}
