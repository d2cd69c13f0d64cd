import { significant } from '#core';
import type { CertificationVerdict, CertifiedMetric } from '#core/api';
import { escapeHtml } from './escape-html.ts';
import { verdictStyle, verdictText } from './verdict-words.ts';

/** Columns at most: with more episodes a column stands for several, by the worst of them. */
const mostColumns = 240;
/** Told apart without colour by how much of the cell is filled. */
const heights: Readonly<Record<CertificationVerdict, number>> = {
  certified: 14,
  review_required: 9,
  not_ready: 5,
  not_assessable: 1.5,
};
const worstFirst: readonly CertificationVerdict[] = [
  'not_ready',
  'review_required',
  'not_assessable',
  'certified',
];

/** Episodes by metrics: what was seen, and what it was judged. */
export function coverageMap(metrics: readonly CertifiedMetric[], episodes: number): string {
  const columns = Math.min(mostColumns, episodes);
  const rows = metrics.map(
    (metric) =>
      `<tr><th scope="row">${escapeHtml(metric.metric)}</th><td>${strip(metric, columns)}</td></tr>`,
  );
  const each = Math.ceil(episodes / Math.max(1, columns));
  const note =
    each > 1 ? `<p class="faint">A column stands for ${each} episodes, by the worst of them.</p>` : '';
  return `<p class="key">${worstFirst.toReversed().map(keyOf).join('')}</p>${note}<table class="map"><thead><tr><th scope="col">metric</th><th scope="col">episodes, from the first to the last</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function keyOf(verdict: CertificationVerdict): string {
  return `<span><svg viewBox="0 0 14 14" aria-hidden="true">${cell(verdict, 0, 14)}</svg>${verdictText(verdict)}</span>`;
}

function strip({ metric, decisions, counts }: CertifiedMetric, columns: number): string {
  const verdicts = Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * decisions.length) / columns);
    const to = Math.floor(((column + 1) * decisions.length) / columns);
    const seen = new Set(decisions.slice(from, to).map(({ verdict }) => verdict));
    return worstFirst.find((verdict) => seen.has(verdict)) ?? 'not_assessable';
  });
  const cells: string[] = [];
  for (let from = 0, to = 0; from < columns; from = to) {
    while (to < columns && verdicts[to] === verdicts[from]) to++;
    cells.push(cell(verdicts[from], from, to - from));
  }
  const said = worstFirst
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdictText(verdict)}`)
    .join(', ');
  return `<svg class="strip" viewBox="0 0 ${Math.max(1, columns)} 14" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(`${metric}: ${said}`)}">${cells.join('')}</svg>`;
}

function cell(verdict: CertificationVerdict, from: number, width: number): string {
  const height = heights[verdict];
  return `<rect class="fill-${verdictStyle(verdict)}" x="${from}" y="${significant(14 - height, 4)}" width="${width}" height="${height}"/>`;
}
