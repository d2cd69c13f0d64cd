import { significant } from '#core';
import type { CertificationReport, CertifiedMetric } from '#core/api';
import { coverageMap } from './coverage-map.ts';
import { escapeHtml } from './escape-html.ts';
import { metricSection, needText } from './metric-section.ts';
import { style } from './style.ts';
import { verdictBadge } from './verdict-words.ts';
import { wideTable } from './wide-table.ts';
import { worstEpisodes } from './worst-episodes.ts';

/** Nothing but the page's own style is loaded: no script, no picture, no address. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/** The report as one page that opens without a network and prints whole. The same report gives the same bytes. */
export function renderReport(report: CertificationReport, title: string): string {
  const { metrics, episodes, limits } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} — certification report</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="brand">Assay ${escapeHtml(report.engine.version)} · certification report</p>
<h1>${escapeHtml(title)}</h1>
${summary(report)}
</header>
<main>
<h2>Metrics</h2>
${metricTable(metrics)}
<h2>What was seen</h2>
${coverageMap(metrics, episodes.length)}
<h2>Episodes with most against them</h2>
${worstEpisodes(report)}
<h2>Each metric</h2>
${metrics.map(metricSection).join('\n')}
<h2>What this report does not say</h2>
<ul class="limits">${limits.map((limit) => `<li>${escapeHtml(limit)}</li>`).join('')}</ul>
</main>
<footer>Verdicts follow from report.json; its content hash is <code>${report.content_hash}</code>.</footer>
</body>
</html>
`;
}

function summary({ verdict, reason, coverage, policy, dataset, project_id }: CertificationReport): string {
  const facts: readonly (readonly [string, string])[] = [
    ['target', escapeHtml(policy.target)],
    [
      'policy',
      `${policy.version === null ? 'no version' : `version ${policy.version}`} <code>${policy.policy_hash}</code>`,
    ],
    [
      'recordings',
      `${dataset.episodes} episodes, ${durationText(dataset.duration_s)}, ${escapeHtml(dataset.formats.join(', '))}`,
    ],
    [
      'source files',
      dataset.sources_sha256 === null ? 'not all were hashed' : `<code>${dataset.sources_sha256}</code>`,
    ],
    ['receipts', `<code>${dataset.receipts_sha256}</code>`],
    ...(project_id === null ? [] : ([['project', `<code>${escapeHtml(project_id)}</code>`]] as const)),
  ];
  return `<div class="verdict">${verdictBadge(verdict)}<span><span class="big">${significant(100 * coverage.share, 3)} %</span> coverage <span class="faint">(${coverage.decisions} of ${coverage.of} decisions had evidence)</span></span></div>
<p class="why">${escapeHtml(reason)}.</p>
<dl class="facts">${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${significant(seconds, 3)} s`;
  return seconds < 7200 ? `${significant(seconds / 60, 3)} min` : `${significant(seconds / 3600, 3)} h`;
}

function metricTable(metrics: readonly CertifiedMetric[]): string {
  const head = ['metric', 'counts', 'verdict', 'median', 'worst', 'ideal', 'review', 'unit', 'seen'].map(
    (name, i) => `<th scope="col"${i > 2 && i < 7 ? ' class="number"' : ''}>${name}</th>`,
  );
  return wideTable('Metrics', { head: head.join(''), body: metrics.map(metricRow).join('') });
}

function metricRow(metric: CertifiedMetric): string {
  const { observed, direction, ideal, review, unit, decisions, counts } = metric;
  const worst = direction === 'lower_is_better' ? observed?.maximum : observed?.minimum;
  const number = (value: number | undefined) =>
    `<td class="number">${value === undefined ? '' : significant(value, 4)}</td>`;
  return `<tr><th scope="row">${escapeHtml(metric.metric)}</th><td class="faint">${needText[metric.need]}</td><td>${verdictBadge(metric.verdict)}</td>${number(observed?.median)}${number(worst)}${number(ideal)}${number(review)}<td>${escapeHtml(unit)}</td><td>${decisions.length - counts.not_assessable} of ${decisions.length}</td></tr>`;
}
