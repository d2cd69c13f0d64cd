import { type EpisodeVerdict, shapeOf, worstFirst } from '#engine/local';
import { episodesText } from '#quality/report';
import { printableName } from '../printable.ts';
import { count } from '../words.ts';
import { decisionStyle, type Paint } from './paint.ts';
import type { TableOptions } from './table-options.ts';
import { whatWasSeen } from './what-was-seen.ts';

/** Episodes that were judged alike for the same reasons, the worst first; mostly one. */
type Group = readonly EpisodeVerdict[];

/**
 * The worst first, those alike in one row; of those that are accepted without a flag only a few. Every episode has a row
 * where all are asked for.
 */
export function episodeLines(
  verdicts: readonly EpisodeVerdict[],
  options: TableOptions,
  paint: Paint,
): string[] {
  const sorted = [...verdicts].sort(worstFirst);
  const groups = options.all ? sorted.map((verdict) => [verdict]) : alike(sorted);
  const notable = groups.filter(([verdict]) => !isFine(verdict)).length;
  const rows = Math.min(options.rows, Math.max(notable, options.all ? groups.length : fineShown));
  const shown = groups.slice(0, rows);
  const width = Math.min(40, Math.max(7, ...shown.map((group) => nameOf(group).length)));
  const lines = shown.flatMap((group) => groupLines(group, width, options, paint));
  const head = `  ${'decision'.padEnd(8)}  score  graded  ${'episode'.padEnd(width)}  what was seen`;
  return [paint('dim', head), ...lines, ...unlisted(groups.slice(rows).flat(), paint)];
}

const fineShown = 3;
/** From so many on episodes alike have one row. */
const fewestAlike = 3;

const isFine = ({ decision, flags, findings }: EpisodeVerdict): boolean =>
  decision === 'accept' && flags.length === 0 && findings.length === 0;

function alike(sorted: readonly EpisodeVerdict[]): Group[] {
  const groups = new Map<string, EpisodeVerdict[]>();
  for (const verdict of sorted) {
    const shape = shapeOf(verdict);
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [verdict]);
    else group.push(verdict);
  }
  return [...groups.values()]
    .flatMap((group) =>
      group.length < fewestAlike || isFine(group[0]) || saysNothing(group[0])
        ? group.map((verdict) => [verdict])
        : [group],
    )
    .sort(([a], [b]) => worstFirst(a, b));
}

/** A score alone: no two are alike. */
const saysNothing = ({ flags, findings }: EpisodeVerdict): boolean => flags.length + findings.length === 0;

function unlisted(rest: readonly EpisodeVerdict[], paint: Paint): string[] {
  if (rest.length === 0) return [];
  const fine = rest.every(({ decision, flags }) => decision === 'accept' && flags.length === 0);
  const what = fine ? 'accepted without a flag' : 'none worse';
  return [paint('dim', `  and ${count(rest.length, 'more episode')}, ${what} (--all lists them)`)];
}

function groupLines(group: Group, width: number, options: TableOptions, paint: Paint): string[] {
  const [verdict] = group;
  const facts = [
    paint(decisionStyle[verdict.decision], verdict.decision.padEnd(8)),
    least(group, ({ score }) => (score === null ? '–' : score.toFixed(2))).padStart(5),
    least(group, ({ graded_fraction }) => `${Math.round(graded_fraction * 100)} %`).padStart(6),
    shorten(nameOf(group), width).padEnd(width),
  ].join('  ');
  const indent = ' '.repeat(29 + width);
  const told = group.find(({ flags, findings }) =>
    [...flags, ...findings].some(({ message }) => message !== null),
  );
  const [first = '', ...rest] = whatWasSeen(told ?? verdict, options.columns - indent.length);
  const one = group.length > 1 && told !== undefined ? [`(said of ${printableName(told.id)})`] : [];
  return [`  ${facts}  ${first}`.trimEnd(), ...[...rest, ...one].map((line) => indent + line)];
}

/** What all have, or what the worst has, marked as the least. */
function least(group: Group, text: (verdict: EpisodeVerdict) => string): string {
  const first = text(group[0]);
  return group.every((verdict) => text(verdict) === first) ? first : `≥${first}`;
}

function nameOf(group: Group): string {
  if (group.length === 1) return printableName(group[0].id);
  return episodesText({ episodes: group.map(({ index }) => index).sort((a, b) => a - b) }, 3);
}

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(1 - width)}`;
}
