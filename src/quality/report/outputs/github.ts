import type { Finding, Severity } from '#core/episode';
import { codeTitle } from '#core/titles';
import { collectIssues, formatEpisodes } from './issues.ts';
import type { OutputAssessment, OutputContext, OutputFormat } from './output.ts';
import { describeOverall } from './set-verdict-text.ts';

const levels: Readonly<Record<Severity, string>> = {
  blocking: 'error',
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/**
 * Output as workflow commands of GitHub Actions, most severe first. GitHub shows ten annotations per level
 * and step, so an issue of several episodes is one line.
 */
export const github: OutputFormat = {
  id: 'github',
  about: 'annotations for GitHub Actions',
  needs: 'messages',
  *write(assessed, context) {
    yield* sortBySeverity([...listDatasetLines(assessed, context), ...listIssueLines(assessed, context)]);
    const { accept, review, reject } = assessed.decisions;
    const lost = assessed.unreadable > 0 ? `, ${assessed.unreadable} unreadable` : '';
    const usable = assessed.usability.verdict === 'usable';
    const level = !usable || reject > 0 ? 'error' : review > 0 ? 'warning' : 'notice';
    yield formatCommand(
      level,
      'Assay',
      `${context.path}: ${accept} accept, ${review} review, ${reject} reject${lost}\n${describeOverall(assessed)}`,
    );
  },
};

type Line = readonly [severity: Severity, text: string];

function listDatasetLines(
  { datasets, findings, incomplete }: OutputAssessment,
  { path }: OutputContext,
): Line[] {
  const line = (dataset: string, { severity, code, message, advice }: Omit<Finding, 'path'>): Line => {
    const where = dataset === '.' ? path : `${path}/${dataset}`;
    return [severity, formatCommand(levels[severity], codeTitle(code), `${where}: ${message}\n→ ${advice}`)];
  };
  return [
    ...incomplete.map(({ reason, advice }) =>
      line('.', { severity: 'error', code: 'not_finished', message: reason, advice }),
    ),
    ...findings.map((finding) => line('.', finding)),
    ...datasets.flatMap((dataset) => dataset.findings.map((finding) => line(dataset.path, finding))),
  ];
}

function listIssueLines({ verdicts, datasets }: OutputAssessment, { path, flags }: OutputContext): Line[] {
  return collectIssues(verdicts, flags).map((issue) => {
    const { path: dataset } = datasets[issue.dataset];
    const where = dataset === '.' ? path : `${path}/${dataset}`;
    const example =
      issue.example === null ? '' : `\n${issue.episodes.length === 1 ? '' : 'for example: '}${issue.example}`;
    const text = `${where}: ${formatEpisodes(issue)}${example}\n→ ${issue.advice}`;
    return [issue.severity, formatCommand(levels[issue.severity], codeTitle(issue.code), text)];
  });
}

const rank: readonly Severity[] = ['blocking', 'error', 'warning', 'info'];

function sortBySeverity(lines: readonly Line[]): string[] {
  return lines.toSorted(([a], [b]) => rank.indexOf(a) - rank.indexOf(b)).map(([, text]) => text);
}

/** Formats a workflow command, `::error title=…::…`, on one line. */
function formatCommand(level: string, title: string, message: string): string {
  return `::${level} title=${escapeProperty(title)}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
