import type { Assessed, JudgedEpisode, OutputFormat } from './output.ts';

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
];

/** A row an episode, as RFC 4180 has it but with line feeds; codes are apart from each other by spaces. */
export const csv: OutputFormat = {
  id: 'csv',
  about: 'a row an episode, for spreadsheets',
  needs: null,
  *write(assessed) {
    yield `${header.join(',')}\n`;
    for (const verdict of assessed.verdicts) yield `${row(assessed, verdict).join(',')}\n`;
  },
};

function row({ datasets }: Assessed, verdict: JudgedEpisode): string[] {
  const codes = (list: readonly { readonly code: string }[]) =>
    cell([...new Set(list.map(({ code }) => code))].join(' '));
  return [
    cell(datasets[verdict.dataset].path),
    String(verdict.index),
    cell(verdict.id),
    verdict.kind,
    verdict.decision,
    verdict.score === null ? '' : String(verdict.score),
    String(verdict.graded_fraction),
    String(verdict.duration_s),
    codes(verdict.flags),
    codes(verdict.findings),
    cell(verdict.receipt ?? ''),
  ];
}

/** Spreadsheets take a text that starts so for a formula. */
const formula = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
