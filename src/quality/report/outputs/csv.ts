import type { EpisodeVerdict, OutputAssessment, OutputFormat } from './output.ts';

const header = [
  'dataset',
  'index',
  'episode',
  'kind',
  'decision',
  'score',
  'graded_fraction',
  'duration_s',
  'flags',
  'findings',
  'receipt',
  'dataset_verdict',
];

/** CSV output: one row per episode, as in RFC 4180 but with line feeds; codes are separated by spaces. */
export const csv: OutputFormat = {
  id: 'csv',
  about: 'CSV with one row per episode, for spreadsheets',
  needs: null,
  *write(assessed) {
    yield `${header.join(',')}\n`;
    for (const verdict of assessed.verdicts) yield `${formatRow(assessed, verdict).join(',')}\n`;
  },
};

function formatRow({ datasets }: OutputAssessment, verdict: EpisodeVerdict): string[] {
  const codes = (list: readonly { readonly code: string }[]) =>
    formatCell([...new Set(list.map(({ code }) => code))].join(' '));
  return [
    formatCell(datasets[verdict.dataset].path),
    String(verdict.index),
    formatCell(verdict.id),
    verdict.kind,
    verdict.decision,
    verdict.score === null ? '' : String(verdict.score),
    String(verdict.graded_fraction),
    String(verdict.duration_s),
    codes(verdict.flags),
    codes(verdict.findings),
    formatCell(verdict.receipt ?? ''),
    datasets[verdict.dataset].usability.verdict,
  ];
}

/** Beginnings that spreadsheets take for a formula. */
const formulaPattern = /^[=+\-@\t\r]/;

function formatCell(text: string): string {
  const safe = formulaPattern.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
