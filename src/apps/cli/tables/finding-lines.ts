import type { Finding } from '#core/episode';
import { count, grouped } from '../words.ts';
import { wrap } from '../wrap.ts';
import { type Paint, severityStyle } from './paint.ts';

const maxGroups = 12;
const maxListedPaths = 3;

/** Sort order of severities; lower is worse. */
export const findingRank = { blocking: 0, error: 1, warning: 2, info: 3 } as const;

/** Renders findings, worst first; similar findings are merged into one entry. */
export function findingLines(list: readonly Finding[], columns: number, paint: Paint): string[] {
  const groups = groupSimilar(list.toSorted((a, b) => findingRank[a.severity] - findingRank[b.severity]));
  const lines = groups.slice(0, maxGroups).flatMap((group) => groupLines(group, columns, paint));
  const rest = groups.slice(maxGroups).flat().length;
  return rest > 0 ? [...lines, `  and ${count(rest, 'more finding')}`] : lines;
}

function groupLines([finding, ...others]: readonly Finding[], columns: number, paint: Paint): string[] {
  const { severity, path, message, advice } = finding;
  const place = path === null || message.includes(path) ? '' : `${path}: `;
  const [first, ...rest] = wrap(`${place}${message}`, columns - 10, '');
  return [
    `  ${paint(severityStyle[severity], severity.padEnd(8))} ${first}`,
    ...rest.map((line) => `          ${line}`),
    ...(others.length === 0 ? [] : wrap(similarText(others), columns - 10, '          ')),
    ...wrap(`→ ${advice}`, columns - 10, '          ').map((line) => paint('dim', line)),
  ];
}

/** Summarises the other findings of a group: `and 47 more like it: b.parquet, c.parquet, d.parquet, …` */
function similarText(others: readonly Finding[]): string {
  const paths = [...new Set(others.flatMap(({ path }) => (path === null ? [] : [path])))];
  const named = paths.slice(0, maxListedPaths).join(', ');
  const more = paths.length > maxListedPaths ? ', …' : '';
  return `and ${grouped(others.length)} more like it${named === '' ? '' : `: ${named}${more}`}`;
}

/** Minimum number of findings with the same code and advice that are merged into one entry. */
const minGrouped = 3;

function groupSimilar(sorted: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of sorted) {
    const key = `${finding.severity}\n${finding.code}\n${finding.advice}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < minGrouped ? group.map((finding) => [finding]) : [group],
  );
}
