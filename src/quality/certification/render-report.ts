import { escapeHtml, significant } from '#core';
import type { CertificationReport, CertificationVerdict, CertifiedMetric, MetricDecision } from '#core/api';
import { measureText, targetTitle } from '#core/titles';
import { isCounted } from './aggregate.ts';
import { renderDistribution } from './distribution.ts';

/** Content security policy: allows inline style only; no script, image or network request. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/** Options of `renderReport`. */
interface RenderOptions {
  /** True if the report was made elsewhere and imported into a service. The page says so above the verdict. */
  readonly imported?: boolean;
}

/**
 * Renders the report as one self-contained HTML page for offline reading and print. The same report, title and options
 * give the same bytes.
 */
export function renderReport(
  report: CertificationReport,
  title: string,
  { imported = false }: RenderOptions = {},
): string {
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
${imported ? `${importNotice}\n` : ''}${summary(report)}
</header>
<main>
<h2>Metrics</h2>
${metricTable(metrics)}
<h2>Verdicts by episode</h2>
${coverageMap(metrics, episodes.length)}
<h2>Worst episodes</h2>
${worstEpisodes(report)}
<h2>Metric details</h2>
${metrics.map(metricSection).join('\n')}
<h2>Limits of this report</h2>
<ul class="limits">${limits.map((limit) => `<li>${escapeHtml(limit)}</li>`).join('')}</ul>
</main>
<footer>Rendered from report.json, content hash <code>${report.content_hash}</code></footer>
</body>
</html>
`;
}

const importNotice =
  '<p class="notice" role="note"><strong>Imported report.</strong> The service that signed it did not measure these recordings and has no receipts for them. Verdict and coverage were recomputed from the decisions below, but the decisions themselves cannot be verified.</p>';

function summary(report: CertificationReport): string {
  const { verdict, reason, coverage, policy, dataset, project_id } = report;
  const facts: readonly (readonly [string, string])[] = [
    ['Target', escapeHtml(targetTitle(policy.target))],
    [
      'Policy',
      `${policy.version === null ? 'not versioned,' : `version ${policy.version}`} <code>${policy.policy_hash}</code>`,
    ],
    [
      'Recordings',
      `${dataset.episodes} episodes, ${durationText(dataset.duration_s)}, ${escapeHtml(dataset.formats.join(', '))}`,
    ],
    [
      'Source files',
      dataset.sources_sha256 === null
        ? 'not all files were hashed'
        : `<code>${dataset.sources_sha256}</code>`,
    ],
    ['Receipts', `<code>${dataset.receipts_sha256}</code>`],
    ...(project_id === null ? [] : ([['Project', `<code>${escapeHtml(project_id)}</code>`]] as const)),
  ];
  return `<div class="verdict">${verdictBadge(verdict)}<span><span class="big">${coverage.share === null ? '–' : `${significant(100 * coverage.share, 3)} %`}</span> coverage <span class="faint">(${coverageText(report)})</span></span></div>
<p class="why">${escapeHtml(reason)}.</p>
<dl class="facts">${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;
}

/** Describes how many decisions have evidence, among the required metrics and among all that are not advisory. */
export const coverageText = ({
  coverage,
  evidence,
}: Pick<CertificationReport, 'coverage' | 'evidence'>): string =>
  `${coverage.decisions} of ${coverage.of} required decisions have evidence; ${evidence.decisions} of ${evidence.of} with the metrics that are required only if their data is present`;

function durationText(seconds: number): string {
  if (seconds < 120) return `${significant(seconds, 3)} s`;
  return seconds < 7200 ? `${significant(seconds / 60, 3)} min` : `${significant(seconds / 3600, 3)} h`;
}

function metricTable(metrics: readonly CertifiedMetric[]): string {
  const head = [
    'Metric',
    'Required',
    'Verdict',
    'Median',
    'Worst',
    'Ideal',
    'Review',
    'Episodes with evidence',
  ].map((name, i) => `<th scope="col"${i > 2 && i < 7 ? ' class="number"' : ''}>${name}</th>`);
  return wideTable('Metrics', { head: head.join(''), body: metrics.map(metricRow).join('') });
}

function metricRow(metric: CertifiedMetric): string {
  const { observed, direction, ideal, review, unit, decisions, counts } = metric;
  const worst = direction === 'lower_is_better' ? observed?.maximum : observed?.minimum;
  const number = (value: number | undefined) =>
    `<td class="number">${value === undefined ? '' : escapeHtml(measureText(value, unit))}</td>`;
  return `<tr><th scope="row">${escapeHtml(metric.title)}</th><td class="faint">${needText[metric.need]}</td><td>${verdictBadge(metric.verdict)}</td>${number(observed?.median)}${number(worst)}${number(ideal)}${number(review)}<td>${decisions.length - counts.not_assessable} of ${decisions.length}</td></tr>`;
}

/** Renders one metric: verdict, formula, inputs, thresholds with their source, and histogram. */
function metricSection(metric: CertifiedMetric): string {
  const { metric: id, title, need, reason, formula, inputs, source, diagnostics } = metric;
  const lines = [
    `<p>${escapeHtml(reason)}.</p>`,
    ...diagnostics.map((line) => `<p>${escapeHtml(line)}.</p>`),
    `<p><span class="faint">Formula:</span> ${escapeHtml(formula)}.</p>`,
    `<p><span class="faint">Inputs:</span> ${escapeHtml(inputs)}.</p>`,
    `<p><span class="faint">Thresholds:</span> ${escapeHtml(boundsText(metric))} <span class="faint">Source:</span> ${escapeHtml(source)}.</p>`,
  ];
  const plot = renderDistribution(metric) || `<p>${escapeHtml(summariseMissingEvidence(metric))}.</p>`;
  return `<section class="metric"><header><h3>${escapeHtml(title)}</h3><code>${escapeHtml(id)}</code><span class="faint">${needText[need]}</span>${verdictBadge(metric.verdict)}</header><div>${lines.join('')}</div><div>${plot}</div></section>`;
}

const needText = {
  required: 'required',
  if_present: 'if present',
  advisory: 'advisory',
} as const;

function boundsText({ direction, ideal, review, unit, allowed_share }: CertifiedMetric): string {
  const comparison = direction === 'lower_is_better' ? 'at most' : 'at least';
  return `ideal ${comparison} ${measureText(ideal, unit)}, review ${comparison} ${measureText(review, unit)}; ${significant(100 * allowed_share, 3)} % of the episodes may miss the review threshold or have no evidence.`;
}

function summariseMissingEvidence({ decisions }: CertifiedMetric): string {
  const reasons = new Set(
    decisions.flatMap((decision) => (decision.applicability === 'not_assessable' ? [decision.reason] : [])),
  );
  return [...reasons].slice(0, 3).join('; ') || 'no episodes';
}

const maxListedEpisodes = 25;
const rank = { not_ready: 100, review_required: 1, certified: 0, not_assessable: 0 } as const;

/** Renders the 25 episodes with the worst verdicts and the metrics behind them. */
function worstEpisodes({ episodes, metrics }: CertificationReport): string {
  const counted = metrics.filter(isCounted);
  const scored = episodes
    .map((episode, episodeIndex) => {
      const against = counted.flatMap((metric) =>
        rank[metric.decisions[episodeIndex].verdict] > 0
          ? [{ metric, decision: metric.decisions[episodeIndex] }]
          : [],
      );
      return {
        episode,
        against,
        weight: against.reduce((sum, { decision }) => sum + rank[decision.verdict], 0),
      };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.episode.index - b.episode.index);
  if (scored.length === 0) return '<p>All episodes are certified.</p>';
  const rows = scored
    .slice(0, maxListedEpisodes)
    .map(
      ({ episode, against }) =>
        `<tr><th scope="row" class="mono">${escapeHtml(episode.id)}</th><td>${verdictBadge(episode.verdict)}</td><td>${against
          .map(({ metric, decision }) =>
            escapeHtml(`${metric.title} ${decisionText(decision, metric.unit)}`.trim()),
          )
          .join('<br>')}</td></tr>`,
    );
  const more =
    scored.length > maxListedEpisodes
      ? `<p class="faint">${scored.length - maxListedEpisodes} more in report.json.</p>`
      : '';
  const head = ['Episode', 'Verdict', 'Failed metrics'].map((name) => `<th scope="col">${name}</th>`);
  return wideTable('Worst episodes', { head: head.join(''), body: rows.join('') }) + more;
}

const decisionText = (decision: MetricDecision, unit: string): string =>
  decision.applicability === 'applicable' ? measureText(decision.observed, unit) : '';

/**
 * Renders a table that scrolls horizontally on narrow screens, also by keyboard. All parameters are HTML; `label`
 * names the table.
 */
function wideTable(label: string, rows: { readonly head: string; readonly body: string }): string {
  return `<div class="wide" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${rows.head}</tr></thead><tbody>${rows.body}</tbody></table></div>`;
}

/** Style of the page: the design tokens of the readiness report, plus layout and print rules. */
const style = `
:root{color-scheme:light dark;--ground:light-dark(#fcfcfb,#0f1214);--sunken:light-dark(#f2f3f2,#191e21);
--line:light-dark(#e1e4e3,#272d31);--line-strong:light-dark(#c3c9c9,#3b444a);--ink:light-dark(#14181b,#e6eaec);
--soft:light-dark(#434c52,#b4bdc3);--faint:light-dark(#5f6a71,#8e99a0);
--good:light-dark(#0b7350,#5ccba0);--open:light-dark(#875600,#e3b153);--bad:light-dark(#b3241c,#ff8a80);--none:var(--faint);
--good-fill:light-dark(#2f9470,#2f9f78);--open-fill:light-dark(#c98a12,#c79332);--bad-fill:light-dark(#cf443a,#d9564d);
--none-fill:light-dark(#c3c9c9,#3b444a);
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:13px/1.5 var(--sans);font-variant-numeric:tabular-nums}
header,main,footer{max-width:1200px;margin-inline:auto;padding-inline:clamp(16px,2.6vw,40px)}
h1,h2,h3,p,ul,dl,dd{margin:0;padding:0}
h1{font-size:clamp(22px,2.3vw,30px);font-weight:600;line-height:1.2;letter-spacing:-.015em}
h2{margin:36px 0 10px;font-size:15px;font-weight:600}
h3{font-size:13px;font-weight:600}
header{padding-top:28px}
footer{padding-block:28px 40px;color:var(--faint)}
code,.mono{font-family:var(--mono);font-size:.94em;overflow-wrap:anywhere}
.brand{margin-bottom:18px;color:var(--faint)}
.verdict{display:flex;flex-wrap:wrap;align-items:baseline;gap:6px 28px;margin-top:14px}
.verdict .badge{font-size:22px;font-weight:600}
.verdict .badge .glyph{width:20px;height:20px;vertical-align:-3px}
.big{font-size:22px;font-weight:600}
.notice{margin-top:14px;padding:8px 12px;border:1px solid var(--open);border-radius:4px;max-width:90ch}
.why{margin-top:6px;color:var(--soft);max-width:90ch}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;margin-top:18px}
.facts dt{color:var(--faint)}
.glyph{flex:none;width:13px;height:13px;vertical-align:-2px}
.glyph path{fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round}
.badge{display:inline-flex;align-items:center;gap:5px;font-weight:550;white-space:nowrap}
.is-good{color:var(--good)}.is-open{color:var(--open)}.is-bad{color:var(--bad)}.is-none{color:var(--none)}
table{width:100%;border-collapse:collapse}
th,td{padding:4px 10px 4px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{color:var(--faint);font-weight:400;white-space:nowrap}
tbody th{font-weight:500}
.wide{overflow-x:auto}
.number{text-align:right;white-space:nowrap}
.faint{color:var(--faint)}
.map th{width:1%;white-space:nowrap;padding-right:14px}
.map td{padding:3px 0;vertical-align:middle}
.strip{display:block;width:100%;height:14px}
.fill-good{fill:var(--good-fill)}.fill-open{fill:var(--open-fill)}.fill-bad{fill:var(--bad-fill)}.fill-none{fill:var(--none-fill)}
.key{display:flex;flex-wrap:wrap;gap:4px 18px;margin-bottom:8px;color:var(--soft)}
.key svg{width:14px;height:14px;vertical-align:-3px;margin-right:5px}
.metric{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:6px 28px;padding:14px 0;border-top:1px solid var(--line);break-inside:avoid}
.metric header{all:unset;grid-column:1/-1;display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 12px}
.metric p{margin-top:4px;color:var(--soft)}
.plot{display:block;width:100%;height:auto}
.plot text{fill:var(--faint);font:11px var(--sans)}
.plot .bar{fill:var(--soft)}.plot .axis{stroke:var(--line-strong)}
.plot .ideal{stroke:var(--good)}.plot .review{stroke:var(--bad);stroke-dasharray:4 3}
.plot .ideal,.plot .review{stroke-width:1.6}
.limits{padding-left:18px;list-style:disc;max-width:100ch}
.limits li{margin-bottom:4px}
@media (max-width:760px){.metric{grid-template-columns:1fr}.map thead th{white-space:normal}}
@media print{:root{color-scheme:light;print-color-adjust:exact}body{font-size:10px}header,main,footer{max-width:none;padding-inline:0}tr{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}}
@page{margin:14mm}
`;

/** Maximum number of columns; with more episodes, a column shows the worst verdict of several. */
const maxColumns = 240;
/** Fill height of a cell out of 14, so that verdicts differ without colour. */
const cellHeights: Readonly<Record<CertificationVerdict, number>> = {
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

/** Renders the verdict of every metric (rows) for every episode (columns), with a legend. */
function coverageMap(metrics: readonly CertifiedMetric[], episodes: number): string {
  const columns = Math.min(maxColumns, episodes);
  const rows = metrics.map(
    (metric) => `<tr><th scope="row">${escapeHtml(metric.title)}</th><td>${strip(metric, columns)}</td></tr>`,
  );
  const each = Math.ceil(episodes / Math.max(1, columns));
  const note =
    each > 1 ? `<p class="faint">Each column shows the worst verdict of ${each} episodes.</p>` : '';
  return `<p class="key">${worstFirst.toReversed().map(renderLegendEntry).join('')}</p>${note}<table class="map"><thead><tr><th scope="col">Metric</th><th scope="col">Episodes, first to last</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function renderLegendEntry(verdict: CertificationVerdict): string {
  return `<span><svg viewBox="0 0 14 14" aria-hidden="true">${cell(verdict, 0, 14)}</svg>${verdictText(verdict)}</span>`;
}

function strip({ title, decisions, counts }: CertifiedMetric, columns: number): string {
  const verdicts = Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * decisions.length) / columns);
    const to = Math.floor(((column + 1) * decisions.length) / columns);
    const presentVerdicts = new Set(decisions.slice(from, to).map(({ verdict }) => verdict));
    return worstFirst.find((verdict) => presentVerdicts.has(verdict)) ?? 'not_assessable';
  });
  const cells: string[] = [];
  for (let from = 0, to = 0; from < columns; from = to) {
    while (to < columns && verdicts[to] === verdicts[from]) to++;
    cells.push(cell(verdicts[from], from, to - from));
  }
  const worstRows = worstFirst
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdictText(verdict)}`)
    .join(', ');
  return `<svg class="strip" viewBox="0 0 ${Math.max(1, columns)} 14" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(`${title}: ${worstRows}`)}">${cells.join('')}</svg>`;
}

function cell(verdict: CertificationVerdict, from: number, width: number): string {
  const height = cellHeights[verdict];
  return `<rect class="fill-${verdictStyle(verdict)}" x="${from}" y="${significant(14 - height, 4)}" width="${width}" height="${height}"/>`;
}

/** Label, CSS class and SVG path of the glyph for each verdict. */
const verdictDisplay: Readonly<
  Record<CertificationVerdict, readonly [text: string, style: string, path: string]>
> = {
  certified: ['Certified', 'good', 'M3 7.5 6 10.5 11 4'],
  review_required: ['Review required', 'open', 'M7 3v5M7 10.6v.4'],
  not_ready: ['Not ready', 'bad', 'M3.5 3.5l7 7M10.5 3.5l-7 7'],
  not_assessable: ['Not assessable', 'none', 'M3 7h8'],
};

const verdictText = (verdict: CertificationVerdict): string => verdictDisplay[verdict][0];
const verdictStyle = (verdict: CertificationVerdict): string => verdictDisplay[verdict][1];

/** Renders the glyph and label of a verdict; readable without colour. */
function verdictBadge(verdict: CertificationVerdict): string {
  const [text, style, path] = verdictDisplay[verdict];
  return `<span class="badge is-${style}"><svg class="glyph" viewBox="0 0 14 14" aria-hidden="true"><path d="${path}"/></svg>${text}</span>`;
}
