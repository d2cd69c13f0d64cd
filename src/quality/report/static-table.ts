import { escapeHtml } from '#core';
import type { Assessment } from '#core/api';
import { codeTitle } from '#core/titles';
import { formatEpisodes, type Issue } from './outputs/issues.ts';
import { describeSummary } from './outputs/set-verdict-text.ts';
import type { EpisodeRow } from './report-types.ts';

/** Rows per page: a browser lays them out in well under a second. */
const rowsPerPage = 5000;

/** Returns the file name of a page of the table, counted from 0: `index.html`, `table-2.html`, `table-3.html`. */
export const tablePageName = (page: number): string => (page === 0 ? 'index.html' : `table-${page + 1}.html`);

/**
 * Collects the verdicts as plain HTML, a row per episode without pictures and signals, for browsers without scripts
 * and for printing.
 */
export class StaticTable {
  readonly #rows: string[] = [];

  /** Number of rows. */
  get count(): number {
    return this.#rows.length;
  }

  /** Adds a row, which links to the episode by its number, the position in order of addition. */
  add({ id, decision, score, graded_fraction, duration_s, issues }: EpisodeRow): void {
    const number = this.#rows.length;
    const codes = [...new Set(issues.map(({ code }) => codeTitle(code)))].join(', ');
    const cells = [
      `<td>${number}`,
      `<td><a href="episode.html#${number}">${escapeHtml(id)}</a>`,
      `<td class="is-${decision}">${decision}`,
      `<td>${score === null ? '–' : score.toFixed(2)}`,
      `<td>${Math.round(100 * graded_fraction)} %`,
      `<td>${escapeHtml(codes)}`,
      `<td>${duration_s > 0 ? `${duration_s.toFixed(1)} s` : '–'}`,
    ];
    this.#rows.push(`<tr>${cells.join('')}`);
  }

  /** Renders the bodies of as many pages as the rows need, at least one. */
  renderPages(title: string, dataset: Assessment['dataset'], issues: readonly Issue[]): string[] {
    const count = Math.max(1, Math.ceil(this.#rows.length / rowsPerPage));
    return Array.from({ length: count }, (_, page) => {
      const rows = this.#rows.slice(page * rowsPerPage, (page + 1) * rowsPerPage);
      const head =
        page === 0 ? [renderVerdict(title, dataset), renderFindings(dataset), renderActions(issues)] : [];
      return `<main class="still">\n${[...head, renderPageLinks(page, count), renderTable(rows, page, this.#rows.length)].join('')}</main>`;
    });
  }
}

function renderVerdict(title: string, dataset: Assessment['dataset']): string {
  const { decisions, unreadable } = dataset;
  const total = decisions.accept + decisions.review + decisions.reject;
  const lost = unreadable > 0 ? `, ${unreadable} unreadable` : '';
  return `<h1>${escapeHtml(title)}</h1>
<p><b>${decisions.accept} of ${total} episodes are fit to train on</b>: ${decisions.accept} accept, ${decisions.review} review, ${decisions.reject} reject${lost}.</p>
<p><b>${escapeHtml(describeSummary(dataset).text)}</b></p>
`;
}

type DatasetMessage = Pick<
  Assessment['dataset']['findings'][number],
  'severity' | 'path' | 'message' | 'advice'
>;

const rank = { blocking: 0, error: 1, warning: 2, info: 3 } as const;

function renderFindings({ findings, incomplete }: Assessment['dataset']): string {
  const all: DatasetMessage[] = [
    ...incomplete.map(({ path, reason, advice }) => ({
      severity: 'error' as const,
      path,
      message: reason,
      advice,
    })),
    ...findings,
  ];
  const items = all
    .toSorted((a, b) => rank[a.severity] - rank[b.severity])
    .map(({ severity, path, message, advice }) => {
      const where = path === null || message.includes(path) ? '' : `${path}: `;
      return `<li><b>${severity}</b> ${escapeHtml(`${where}${message}`)}<br>→ ${escapeHtml(advice)}</li>\n`;
    });
  return items.length === 0 ? '' : `<h2>Dataset findings</h2>\n<ul>\n${items.join('')}</ul>\n`;
}

function renderActions(issues: readonly Issue[]): string {
  const items = issues.map(
    (issue) =>
      `<li><b>${escapeHtml(codeTitle(issue.code))}</b>: ${formatEpisodes(issue)}${issue.severity === 'blocking' ? ', blocking' : ''}<br>→ ${escapeHtml(issue.advice)}</li>\n`,
  );
  return items.length === 0 ? '' : `<h2>What to do</h2>\n<ul>\n${items.join('')}</ul>\n`;
}

/** Renders links to the other pages; empty if there is only one. */
function renderPageLinks(page: number, count: number): string {
  if (count === 1) return '';
  const links = Array.from({ length: count }, (_, other) =>
    other === page ? `<b>${other + 1}</b>` : `<a href="${tablePageName(other)}">${other + 1}</a>`,
  );
  return `<p class="ways">Page ${links.join(' ')}</p>\n`;
}

const heads = ['#', 'Episode', 'Decision', 'Score', 'Evaluated', 'Flags and findings', 'Duration'];

function renderTable(rows: readonly string[], page: number, total: number): string {
  const from = page * rowsPerPage;
  const part = rows.length === total ? '' : ` ${from} to ${from + rows.length - 1} of ${total}`;
  return `<h2>Episodes${part}</h2>
<table>
<thead><tr>${heads.map((head) => `<th scope="col">${head}`).join('')}</thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
`;
}
