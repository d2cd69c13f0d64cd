import type { Finding } from '#core/episode';
import { count, grouped, wrap } from '../text.ts';
import { type Paint, severityStyle } from './paint.ts';

/** Parts of a finding that are printed. */
type ListedFinding = Omit<Finding, 'evidence'>;

const maxGroups = 12;
const maxListedPaths = 3;

/** Sort order of severities; lower is worse. */
export const findingRank = { blocking: 0, error: 1, warning: 2, info: 3 } as const;

/** Renders findings, worst first; similar findings are merged into one entry. */
export function findingLines(list: readonly ListedFinding[], columns: number, paint: Paint): string[] {
  const groups = groupSimilar(list.toSorted((a, b) => findingRank[a.severity] - findingRank[b.severity]));
  const lines = groups.slice(0, maxGroups).flatMap((group) => groupLines(group, columns, paint));
  const rest = groups.slice(maxGroups).flat().length;
  return rest > 0 ? [...lines, `  and ${count(rest, 'more finding')}`] : lines;
}

function groupLines([finding, ...others]: readonly ListedFinding[], columns: number, paint: Paint): string[] {
  const { severity, advice } = finding;
  const [first, ...rest] = wrap(locatedMessage(finding), columns - 10, '');
  return [
    `  ${paint(severityStyle[severity], severity.padEnd(8))} ${first}`,
    ...rest.map((line) => `          ${line}`),
    ...(others.length === 0 ? [] : wrap(similarText(others), columns - 10, '          ')),
    ...wrap(`→ ${advice}`, columns - 10, '          ').map((line) => paint('dim', line)),
  ];
}

/** Puts the path before the message, unless the message names it; a file named from its dataset is named in full. */
function locatedMessage({ path, message }: ListedFinding): string {
  if (path === null || message.includes(path)) return message;
  const [file] = message.split(': ', 1);
  return `${path}: ${path.endsWith(`/${file}`) ? message.slice(file.length + 2) : message}`;
}

/** Summarises the other findings of a group: `and 47 more like it: b.parquet, c.parquet, d.parquet, …` */
function similarText(others: readonly ListedFinding[]): string {
  const paths = [...new Set(others.flatMap(({ path }) => (path === null ? [] : [path])))];
  const named = paths.slice(0, maxListedPaths).join(', ');
  const more = paths.length > maxListedPaths ? ', …' : '';
  return `and ${grouped(others.length)} more like it${named === '' ? '' : `: ${named}${more}`}`;
}

/** Minimum number of findings with the same code and advice that are merged into one entry. */
const minGrouped = 3;

function groupSimilar(sorted: readonly ListedFinding[]): ListedFinding[][] {
  const groups = new Map<string, ListedFinding[]>();
  for (const finding of sorted) {
    const key = `${finding.severity}\n${finding.code}\n${finding.advice}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < minGrouped ? group.map((finding) => [finding]) : [group],
  );
}
