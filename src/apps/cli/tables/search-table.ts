import type { SearchAnswer } from '@assay/client';
import type { FoundEpisode } from '#engine/local';
import type { SearchResult } from '#quality/search';
import { printableName } from '../printable.ts';
import { count, grouped } from '../words.ts';
import { wrap } from '../wrap.ts';

interface Shown {
  readonly name: string;
  readonly decision: string;
  readonly task: string | null;
  readonly score: number | null;
  readonly why: string;
}

type Told = Pick<SearchAnswer, 'coverage'> & {
  readonly ranked_by: Pick<NonNullable<SearchAnswer['ranked_by']>, 'id' | 'version' | 'says'> | null;
};

/** What `assay search` prints of a folder: the answers, and what could not be ranked. */
export function renderHits(
  { hits, coverage, ranked_by }: SearchResult<FoundEpisode>,
  { most, columns }: { readonly most: number; readonly columns: number },
): string {
  const shown = hits.slice(0, most).map(({ episode: { dataset, id, decision, tasks }, score, why }) => {
    return { name: dataset === '.' ? id : `${dataset}/${id}`, decision, task: tasks[0] ?? null, score, why };
  });
  const told = { coverage: { ...coverage, not_ranked: [...coverage.not_ranked] }, ranked_by };
  return render(told, shown, { columns, left: hits.length - shown.length });
}

/** What it prints of a project: episodes by their ids. */
export function renderAnswer({ items, coverage, ranked_by }: SearchAnswer, columns: number): string {
  const shown = items.map(({ episode: { id, name, decision, task }, score, why }) => {
    return { name: `${id} ${name}`, decision, task, score, why };
  });
  return render({ coverage, ranked_by }, shown, { columns, left: coverage.ranked - shown.length });
}

function render(
  { coverage, ranked_by }: Told,
  shown: readonly Shown[],
  { columns, left }: { readonly columns: number; readonly left: number },
): string {
  const lines = shown.map(({ name, decision, task, score, why }) => {
    const alike = score === null ? '' : `${score.toFixed(3)}  `;
    const said = task === null ? 'no task' : printableName(task);
    return `  ${alike}${printableName(name)}  ${decision}  ${said}${score === null ? '' : `  (${why})`}`.slice(
      0,
      columns,
    );
  });
  if (left > 0) lines.push(`  and ${grouped(left)} more; --most shows more`);
  const head = `${count(coverage.matched, 'episode')} ${coverage.matched === 1 ? 'passes' : 'pass'} the filters`;
  const by =
    ranked_by === null
      ? []
      : wrap(`Ranked by ${ranked_by.id} v${ranked_by.version}: ${ranked_by.says}`, columns, '');
  const without = coverage.not_ranked.map(
    ({ reason, episodes }) => `  not ranked: ${count(episodes, 'episode')}, since ${printableName(reason)}`,
  );
  return `${[head, ...by, ...lines, ...without].join('\n')}\n`;
}
