import type { Finding, Severity } from '#core/episode';
import { episodesText, words } from './issue.ts';
import { issuesOf } from './issues.ts';
import type { Assessed, OutputContext, OutputFormat } from './output.ts';

const levels: Readonly<Record<Severity, string>> = {
  blocking: 'error',
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/**
 * Workflow commands of GitHub Actions. GitHub shows ten annotations of a level a step: what episodes share is one line,
 * blocking things first.
 */
export const github: OutputFormat = {
  id: 'github',
  about: 'annotations of a GitHub Actions run',
  needs: 'messages',
  *write(assessed, context) {
    yield* sorted([...datasetLines(assessed, context), ...issueLines(assessed, context)]);
    const { accept, review, reject } = assessed.decisions;
    const lost = assessed.unreadable > 0 ? `, ${assessed.unreadable} unreadable` : '';
    const level = reject > 0 ? 'error' : review > 0 ? 'warning' : 'notice';
    yield command(
      level,
      'Assay',
      `${context.path}: ${accept} accept, ${review} review, ${reject} reject${lost}`,
    );
  },
};

type Line = readonly [severity: Severity, text: string];

function datasetLines({ datasets, findings, incomplete }: Assessed, { path }: OutputContext): Line[] {
  const line = (dataset: string, { severity, code, message, advice }: Omit<Finding, 'path'>): Line => {
    const where = dataset === '.' ? path : `${path}/${dataset}`;
    return [severity, command(levels[severity], words(code), `${where}: ${message}\n→ ${advice}`)];
  };
  return [
    ...incomplete.map(({ reason, advice }) =>
      line('.', { severity: 'error', code: 'not_finished', message: reason, advice }),
    ),
    ...findings.map((finding) => line('.', finding)),
    ...datasets.flatMap((dataset) => dataset.findings.map((finding) => line(dataset.path, finding))),
  ];
}

function issueLines({ verdicts, datasets }: Assessed, { path, flags }: OutputContext): Line[] {
  return issuesOf(verdicts, flags).map((issue) => {
    const { path: dataset } = datasets[issue.dataset];
    const where = dataset === '.' ? path : `${path}/${dataset}`;
    const said =
      issue.example === null ? '' : `\n${issue.episodes.length === 1 ? '' : 'such as '}${issue.example}`;
    const text = `${where}: ${episodesText(issue)}${said}\n→ ${issue.advice}`;
    return [issue.severity, command(levels[issue.severity], words(issue.code), text)];
  });
}

const rank: readonly Severity[] = ['blocking', 'error', 'warning', 'info'];

function sorted(lines: readonly Line[]): string[] {
  return lines.toSorted(([a], [b]) => rank.indexOf(a) - rank.indexOf(b)).map(([, text]) => text);
}

/** `::error title=…::…` on one line. */
function command(level: string, title: string, message: string): string {
  return `::${level} title=${escapeProperty(title)}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
