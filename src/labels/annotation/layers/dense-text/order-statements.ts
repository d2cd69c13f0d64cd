import type { Statement } from './statement.ts';
import type { Style } from './style.ts';

/**
 * By time; a spatial text goes from one moving part or object to the next, in the order in which each first appears.
 * What is of the whole episode comes first.
 */
export function orderStatements(statements: readonly Statement[], style: Style): Statement[] {
  const byTime = statements
    .map((statement, at) => ({ statement, at }))
    .sort((a, b) => timeOf(a.statement) - timeOf(b.statement) || a.at - b.at)
    .map(({ statement }) => statement);
  if (style !== 'spatial') return byTime;
  const places = [...new Set(byTime.map(({ place }) => place))].sort(
    (a, b) => Number(b === '') - Number(a === ''),
  );
  return places.flatMap((place) => byTime.filter((statement) => statement.place === place));
}

const timeOf = ({ from_s }: Statement): number => from_s ?? Number.NEGATIVE_INFINITY;
