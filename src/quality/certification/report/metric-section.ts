import { significant } from '#core';
import type { CertifiedMetric } from '#core/api';
import { distribution } from './distribution.ts';
import { escapeHtml } from './escape-html.ts';
import { verdictBadge } from './verdict-words.ts';

/** One metric: its verdict, how it is computed, what was seen, and where its boundaries come from. */
export function metricSection(metric: CertifiedMetric): string {
  const { metric: id, title, need, reason, formula, inputs, source, diagnostics } = metric;
  const lines = [
    `<p>${escapeHtml(reason)}.</p>`,
    ...diagnostics.map((line) => `<p>${escapeHtml(line)}.</p>`),
    `<p><span class="faint">Formula:</span> ${escapeHtml(formula)}.</p>`,
    `<p><span class="faint">Inputs:</span> ${escapeHtml(inputs)}.</p>`,
    `<p><span class="faint">Boundaries:</span> ${escapeHtml(boundsText(metric))} <span class="faint">Source:</span> ${escapeHtml(source)}.</p>`,
  ];
  const plot = distribution(metric) || `<p>${escapeHtml(whyUnseen(metric))}.</p>`;
  return `<section class="metric"><header><h3>${escapeHtml(title)}</h3><code>${escapeHtml(id)}</code><span class="faint">${needText[need]}</span>${verdictBadge(metric.verdict)}</header><div>${lines.join('')}</div><div>${plot}</div></section>`;
}

export const needText = {
  required: 'required',
  if_present: 'where present',
  advisory: 'shown, not counted',
} as const;

function boundsText({ direction, ideal, review, unit, allowed_share }: CertifiedMetric): string {
  const way = direction === 'lower_is_better' ? 'at most' : 'at least';
  return `ideal ${way} ${ideal}, review ${way} ${review} ${unit}; ${significant(100 * allowed_share, 3)} % of the episodes may lie beyond or lack evidence.`;
}

function whyUnseen({ decisions }: CertifiedMetric): string {
  const reasons = new Set(
    decisions.flatMap((decision) => (decision.applicability === 'not_assessable' ? [decision.reason] : [])),
  );
  return [...reasons].slice(0, 3).join('; ') || 'there is no episode';
}
