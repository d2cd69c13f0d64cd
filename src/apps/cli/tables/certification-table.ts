import { significant } from '#core';
import type { CertificationReport, CertificationVerdict, CertifiedMetric } from '#core/api';
import { printableName } from '../printable.ts';
import { columns } from './columns.ts';
import { type Paint, painter } from './paint.ts';

const styles: Readonly<Record<CertificationVerdict, Parameters<Paint>[0]>> = {
  certified: 'green',
  review_required: 'yellow',
  not_ready: 'red',
  not_assessable: 'dim',
};

/** What `assay certify` prints: the verdict with its coverage, a line a metric, and what stands against it. */
export function certificationTable(
  report: CertificationReport,
  path: string,
  { colours }: { readonly colours: boolean },
): string {
  const paint = painter(colours);
  const { verdict, reason, coverage, policy, metrics } = report;
  const head = `${paint(styles[verdict], words(verdict))} for ${policy.target}: ${path}\n${reason}\ncoverage ${significant(100 * coverage.share, 3)} % (${coverage.decisions} of ${coverage.of} decisions had evidence)\n`;
  const lines = columns([
    ['metric', 'counts', 'verdict', 'median', 'worst', 'seen'],
    ...metrics.map(rowOf),
  ]).split('\n');
  const coloured = lines.map((line, i) =>
    i === 0 ? paint('dim', line) : colourVerdict(line, metrics[i - 1], paint),
  );
  const why = metrics
    .filter(
      ({ need, verdict: own }) => need !== 'advisory' && (own === 'not_ready' || own === 'review_required'),
    )
    .flatMap(({ metric, reason: own, diagnostics }) => [
      `  ${metric}: ${own}\n`,
      ...diagnostics.map((line) => `    ${printableName(line)}\n`),
    ]);
  return `${head}\n${coloured.join('\n')}${why.length === 0 ? '' : `\n${why.join('')}`}\n`;
}

const words = (verdict: string): string => verdict.replaceAll('_', ' ');
const needs = { required: 'required', if_present: 'where present', advisory: 'no' } as const;

function rowOf({
  metric,
  need,
  verdict,
  observed,
  unit,
  direction,
  counts,
  decisions,
}: CertifiedMetric): string[] {
  const number = (value: number | undefined) =>
    value === undefined ? '' : `${significant(value, 4)} ${unit}`;
  const worst = direction === 'lower_is_better' ? observed?.maximum : observed?.minimum;
  const seen = `${decisions.length - counts.not_assessable} of ${decisions.length}`;
  return [metric, needs[need], words(verdict), number(observed?.median), number(worst), seen];
}

function colourVerdict(line: string, metric: CertifiedMetric | undefined, paint: Paint): string {
  if (metric === undefined) return line;
  const said = words(metric.verdict);
  return line.replace(said, paint(styles[metric.verdict], said));
}
