import type { CertificationReport, MetricDecision } from '#core/api';
import { counts } from '../aggregate.ts';
import { escapeHtml } from './escape-html.ts';
import { verdictBadge } from './verdict-words.ts';
import { wideTable } from './wide-table.ts';

const mostShown = 25;
const rank = { not_ready: 100, review_required: 1, certified: 0, not_assessable: 0 } as const;

/** Episodes with most against them, and what it is. */
export function worstEpisodes({ episodes, metrics }: CertificationReport): string {
  const counted = metrics.filter(counts);
  const scored = episodes
    .map((episode, place) => {
      const against = counted.flatMap((metric) =>
        rank[metric.decisions[place].verdict] > 0 ? [{ metric, decision: metric.decisions[place] }] : [],
      );
      return {
        episode,
        against,
        weight: against.reduce((sum, { decision }) => sum + rank[decision.verdict], 0),
      };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.episode.index - b.episode.index);
  if (scored.length === 0) return '<p>No episode has anything against it.</p>';
  const rows = scored
    .slice(0, mostShown)
    .map(
      ({ episode, against }) =>
        `<tr><th scope="row" class="mono">${escapeHtml(episode.id)}</th><td>${verdictBadge(episode.verdict)}</td><td>${against
          .map(({ metric, decision }) => escapeHtml(`${metric.metric} ${saidOf(decision)} ${metric.unit}`))
          .join('<br>')}</td></tr>`,
    );
  const more =
    scored.length > mostShown
      ? `<p class="faint">${scored.length - mostShown} more are in report.json.</p>`
      : '';
  const head = ['episode', 'verdict', 'what is against it'].map((name) => `<th scope="col">${name}</th>`);
  return wideTable('Worst episodes', { head: head.join(''), body: rows.join('') }) + more;
}

const saidOf = (decision: MetricDecision): string =>
  decision.applicability === 'applicable' ? String(decision.observed) : '';
