import { episodesText, words } from './issue.ts';
import { issuesOf } from './issues.ts';
import type { Assessed, JudgedEpisode, OutputContext, OutputFormat } from './output.ts';

const episodesShown = 50;

/** A page for a pull request or a job summary: decisions, what to do, the episodes that were not accepted. */
export const markdown: OutputFormat = {
  id: 'markdown',
  about: 'a page for a pull request or a wiki',
  needs: 'messages',
  *write(assessed, context) {
    const { accept, review, reject } = assessed.decisions;
    const lost = assessed.unreadable > 0 ? `, ${assessed.unreadable} unreadable` : '';
    yield `# ${text(context.path)}\n\n**${assessed.verdicts.length} ${assessed.verdicts.length === 1 ? 'episode' : 'episodes'}: ${accept} accept, ${review} review, ${reject} reject${lost}**, under ${text(assessed.settings.name)} settings (${assessed.settings.hash.slice(0, 8)}).\n`;
    yield* findings(assessed);
    yield* actions(assessed, context);
    yield* episodes(assessed);
  },
};

function* findings({ datasets, findings, incomplete }: Assessed): Generator<string> {
  const rows = [
    ...incomplete.map(({ path, reason, advice }) => ['error', path ?? '.', reason, advice]),
    ...findings.map(({ severity, path, message, advice }) => [severity, path ?? '.', message, advice]),
    ...datasets.flatMap(({ path: dataset, findings }) =>
      findings.map(({ severity, path, message, advice }) => [severity, path ?? dataset, message, advice]),
    ),
  ];
  if (rows.length > 0)
    yield section('The dataset as a whole', ['severity', 'where', 'what', 'what to do'], rows);
}

function* actions({ datasets, verdicts }: Assessed, { flags }: OutputContext): Generator<string> {
  const rows = issuesOf(verdicts, flags).map((issue) => [
    words(issue.code),
    issue.severity,
    datasets.length > 1 ? `${datasets[issue.dataset].path}, ${episodesText(issue)}` : episodesText(issue),
    issue.advice,
  ]);
  if (rows.length > 0) yield section('What to do', ['what', 'severity', 'episodes', 'what to do'], rows);
}

const rank = { reject: 0, review: 1, accept: 2 } as const;

function* episodes({ datasets, verdicts }: Assessed): Generator<string> {
  const notable = verdicts
    .filter(({ decision }) => decision !== 'accept')
    .toSorted((a, b) => rank[a.decision] - rank[b.decision] || (a.score ?? -1) - (b.score ?? -1));
  const rows = notable
    .slice(0, episodesShown)
    .map((verdict) => [
      verdict.decision,
      verdict.score === null ? '–' : verdict.score.toFixed(2),
      datasets.length > 1 ? `${datasets[verdict.dataset].path}/${verdict.id}` : verdict.id,
      codesOf(verdict),
    ]);
  if (rows.length === 0) return;
  yield section('Episodes not accepted', ['decision', 'score', 'episode', 'why'], rows);
  if (notable.length > rows.length) yield `\n${rows.length} of ${notable.length} shown, the worst first.\n`;
}

function codesOf({ flags, findings, reason }: JudgedEpisode): string {
  const codes = [...new Set([...findings, ...flags].map(({ code }) => words(code)))];
  return codes.length > 0 ? codes.join(', ') : (reason ?? '');
}

function section(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return `\n## ${title}\n\n${line(heads)}${line(heads.map(() => '---'))}${rows.map((row) => line(row.map(text))).join('')}`;
}

/** Text that is text in Markdown, in a table too: no link, no markup, no HTML, no line of its own. */
function text(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]#|~!@]/g, (character) => `&#${character.charCodeAt(0)};`);
}
