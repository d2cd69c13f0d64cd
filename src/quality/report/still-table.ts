import type { Assessment } from '#core/api';
import { episodesText, type Issue, words } from './outputs/issue.ts';
import type { EpisodeRow } from './report-types.ts';

/** Rows of one page: a browser lays them out in well under a second. */
const rowsPerPage = 5000;

/** File of a page of the table; the first is in `index.html`. */
export const stillName = (page: number): string => (page === 0 ? 'index.html' : `table-${page + 1}.html`);

/**
 * The verdicts as plain HTML: what the index page shows where no scripts run, and what it prints. Without the pictures
 * and signals, every episode has a row.
 */
export class StillTable {
  readonly #rows: string[] = [];

  get count(): number {
    return this.#rows.length;
  }

  add({ id, decision, score, graded_fraction, duration_s, said }: EpisodeRow): void {
    const number = this.#rows.length;
    const codes = [...new Set(said.map(({ code }) => words(code)))].join(', ');
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

  /** Bodies of as many pages as the rows need, at least one. */
  pages(title: string, dataset: Assessment['dataset'], issues: readonly Issue[]): string[] {
    const count = Math.max(1, Math.ceil(this.#rows.length / rowsPerPage));
    return Array.from({ length: count }, (_, page) => {
      const rows = this.#rows.slice(page * rowsPerPage, (page + 1) * rowsPerPage);
      const head = page === 0 ? [verdict(title, dataset), findings(dataset), actions(issues)] : [];
      return `<main class="still">\n${[...head, ways(page, count), table(rows, page, this.#rows.length)].join('')}</main>`;
    });
  }
}

function verdict(title: string, { decisions, unreadable }: Assessment['dataset']): string {
  const total = decisions.accept + decisions.review + decisions.reject;
  const lost = unreadable > 0 ? `, ${unreadable} unreadable` : '';
  return `<h1>${escapeHtml(title)}</h1>
<p><b>${decisions.accept} of ${total} episodes fit to train on</b>: ${decisions.accept} accept, ${decisions.review} review, ${decisions.reject} reject${lost}.</p>
`;
}

type Told = Pick<Assessment['dataset']['findings'][number], 'severity' | 'path' | 'message' | 'advice'>;

const rank = { blocking: 0, error: 1, warning: 2, info: 3 } as const;

function findings({ findings, incomplete }: Assessment['dataset']): string {
  const all: Told[] = [
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
  return items.length === 0 ? '' : `<h2>The dataset as a whole</h2>\n<ul>\n${items.join('')}</ul>\n`;
}

function actions(issues: readonly Issue[]): string {
  const items = issues.map(
    (issue) =>
      `<li><b>${escapeHtml(words(issue.code))}</b>: ${episodesText(issue)}${issue.severity === 'blocking' ? ', blocking' : ''}<br>→ ${escapeHtml(issue.advice)}</li>\n`,
  );
  return items.length === 0 ? '' : `<h2>What to do</h2>\n<ul>\n${items.join('')}</ul>\n`;
}

/** Links to the other pages, where there are several. */
function ways(page: number, count: number): string {
  if (count === 1) return '';
  const links = Array.from({ length: count }, (_, other) =>
    other === page ? `<b>${other + 1}</b>` : `<a href="${stillName(other)}">${other + 1}</a>`,
  );
  return `<p class="ways">Page ${links.join(' ')}</p>\n`;
}

const heads = ['#', 'Episode', 'Decision', 'Score', 'Graded', 'What was seen', 'Length'];

function table(rows: readonly string[], page: number, total: number): string {
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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]);
}
