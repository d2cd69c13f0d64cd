import { codeTitle } from '#core/titles';
import { collectIssues, formatEpisodes } from './issues.ts';
import type { EpisodeVerdict, OutputAssessment, OutputContext, OutputFormat } from './output.ts';
import { describeOverall } from './set-verdict-text.ts';

const maxEpisodes = 50;

/**
 * Markdown output for a pull request or job summary: decisions, actions, and the episodes that were not
 * accepted.
 */
export const markdown: OutputFormat = {
  id: 'markdown',
  about: 'Markdown summary for pull requests and wikis',
  needs: 'messages',
  *write(assessed, context) {
    const { accept, review, reject } = assessed.decisions;
    const lost = assessed.unreadable > 0 ? `, ${assessed.unreadable} unreadable` : '';
    yield `# ${escapeMarkdown(context.path)}\n\n**${assessed.verdicts.length} ${assessed.verdicts.length === 1 ? 'episode' : 'episodes'}: ${accept} accept, ${review} review, ${reject} reject${lost}**, under ${escapeMarkdown(assessed.settings.name)} settings (${assessed.settings.hash.slice(0, 8)}).\n\n**${escapeMarkdown(describeOverall(assessed))}**\n`;
    yield* writeFindings(assessed);
    yield* writeActions(assessed, context);
    yield* writeEpisodes(assessed);
  },
};

function* writeFindings({ datasets, findings, incomplete }: OutputAssessment): Generator<string> {
  const rows = [
    ...incomplete.map(({ path, reason, advice }) => ['error', path ?? '.', reason, advice]),
    ...findings.map(({ severity, path, message, advice }) => [severity, path ?? '.', message, advice]),
    ...datasets.flatMap(({ path: dataset, findings }) =>
      findings.map(({ severity, path, message, advice }) => [severity, path ?? dataset, message, advice]),
    ),
  ];
  if (rows.length > 0)
    yield formatSection('Dataset findings', ['Severity', 'Where', 'Finding', 'What to do'], rows);
}

function* writeActions(
  { datasets, verdicts }: OutputAssessment,
  { flags }: OutputContext,
): Generator<string> {
  const rows = collectIssues(verdicts, flags).map((issue) => [
    codeTitle(issue.code),
    issue.severity,
    datasets.length > 1 ? `${datasets[issue.dataset].path}, ${formatEpisodes(issue)}` : formatEpisodes(issue),
    issue.advice,
  ]);
  if (rows.length > 0)
    yield formatSection('What to do', ['Issue', 'Severity', 'Episodes', 'What to do'], rows);
}

const rank = { reject: 0, review: 1, accept: 2 } as const;

function* writeEpisodes({ datasets, verdicts }: OutputAssessment): Generator<string> {
  const notable = verdicts
    .filter(({ decision }) => decision !== 'accept')
    .toSorted((a, b) => rank[a.decision] - rank[b.decision] || (a.score ?? -1) - (b.score ?? -1));
  const rows = notable
    .slice(0, maxEpisodes)
    .map((verdict) => [
      verdict.decision,
      verdict.score === null ? '–' : verdict.score.toFixed(2),
      datasets.length > 1 ? `${datasets[verdict.dataset].path}/${verdict.id}` : verdict.id,
      formatCodes(verdict),
    ]);
  if (rows.length === 0) return;
  yield formatSection('Episodes not accepted', ['Decision', 'Score', 'Episode', 'Reason'], rows);
  if (notable.length > rows.length) yield `\n${rows.length} of ${notable.length} shown, worst first.\n`;
}

function formatCodes({ flags, findings, reason }: EpisodeVerdict): string {
  const codes = [...new Set([...findings, ...flags].map(({ code }) => codeTitle(code)))];
  return codes.length > 0 ? codes.join(', ') : (reason ?? '');
}

function formatSection(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return `\n## ${title}\n\n${line(heads)}${line(heads.map(() => '---'))}${rows.map((row) => line(row.map(escapeMarkdown))).join('')}`;
}

/** Escapes text for Markdown, including tables: no links, markup, HTML or line breaks. */
function escapeMarkdown(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]#|~!@]/g, (character) => `&#${character.charCodeAt(0)};`);
}
