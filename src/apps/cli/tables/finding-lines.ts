import type { Finding } from '#core/episode';
import { count, grouped } from '../words.ts';
import { wrap } from '../wrap.ts';
import { type Paint, severityStyle } from './paint.ts';

const findingsShown = 12;
const pathsShown = 3;

/** Lower is worse. */
export const findingRank = { blocking: 0, error: 1, warning: 2, info: 3 } as const;

/** Findings of a dataset, the worst first; those alike are one, with one advice. */
export function findingLines(list: readonly Finding[], columns: number, paint: Paint): string[] {
  const groups = alike(list.toSorted((a, b) => findingRank[a.severity] - findingRank[b.severity]));
  const lines = groups.slice(0, findingsShown).flatMap((group) => groupLines(group, columns, paint));
  const rest = groups.slice(findingsShown).flat().length;
  return rest > 0 ? [...lines, `  and ${count(rest, 'more finding')}`] : lines;
}

function groupLines([finding, ...others]: readonly Finding[], columns: number, paint: Paint): string[] {
  const { severity, path, message, advice } = finding;
  const place = path === null || message.includes(path) ? '' : `${path}: `;
  const [first, ...rest] = wrap(`${place}${message}`, columns - 10, '');
  return [
    `  ${paint(severityStyle[severity], severity.padEnd(8))} ${first}`,
    ...rest.map((line) => `          ${line}`),
    ...(others.length === 0 ? [] : wrap(likeIt(others), columns - 10, '          ')),
    ...wrap(`→ ${advice}`, columns - 10, '          ').map((line) => paint('dim', line)),
  ];
}

/** `and 47 more like it: b.parquet, c.parquet, d.parquet, …` */
function likeIt(others: readonly Finding[]): string {
  const paths = [...new Set(others.flatMap(({ path }) => (path === null ? [] : [path])))];
  const named = paths.slice(0, pathsShown).join(', ');
  const more = paths.length > pathsShown ? ', …' : '';
  return `and ${grouped(others.length)} more like it${named === '' ? '' : `: ${named}${more}`}`;
}

/** From so many on findings of one code and one advice are told together. */
const fewestAlike = 3;

function alike(sorted: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of sorted) {
    const key = `${finding.severity}\n${finding.code}\n${finding.advice}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < fewestAlike ? group.map((finding) => [finding]) : [group],
  );
}
