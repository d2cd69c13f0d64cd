import type { SearchAnswer } from '#client';
import type { FoundEpisode } from '#engine/local';
import type { SearchResult } from '#quality/search';
import { count, grouped, printableName, wrap } from '../text.ts';

interface HitRow {
  readonly name: string;
  readonly decision: string;
  readonly task: string | null;
  readonly score: number | null;
  readonly why: string;
}

type SearchSummary = Pick<SearchAnswer, 'coverage'> & {
  readonly ranked_by: Pick<NonNullable<SearchAnswer['ranked_by']>, 'id' | 'version' | 'says' | 'note'> | null;
};

/** Renders search results of a folder and how many episodes could not be ranked. */
export function renderHits(
  { hits, coverage, ranked_by }: SearchResult<FoundEpisode>,
  { most, columns }: { readonly most: number; readonly columns: number },
): string {
  const hitRows = hits.slice(0, most).map(({ episode: { dataset, id, decision, tasks }, score, why }) => {
    return { name: dataset === '.' ? id : `${dataset}/${id}`, decision, task: tasks[0] ?? null, score, why };
  });
  const summary = { coverage: { ...coverage, not_ranked: [...coverage.not_ranked] }, ranked_by };
  return render(summary, hitRows, { columns, left: hits.length - hitRows.length });
}

/** Renders search results of a project, with episode ids. */
export function renderAnswer({ items, coverage, ranked_by }: SearchAnswer, columns: number): string {
  const shown = items.map(({ episode: { id, name, decision, task }, score, why }) => {
    return { name: `${id} ${name}`, decision, task, score, why };
  });
  return render({ coverage, ranked_by }, shown, { columns, left: coverage.ranked - shown.length });
}

function render(
  { coverage, ranked_by }: SearchSummary,
  rowsOfHits: readonly HitRow[],
  { columns, left }: { readonly columns: number; readonly left: number },
): string {
  const lines = rowsOfHits.map(({ name, decision, task, score, why }) => {
    const alike = score === null ? '' : `${score.toFixed(3)}  `;
    const taskText = task === null ? 'no task' : printableName(task);
    return `  ${alike}${printableName(name)}  ${decision}  ${taskText}${score === null ? '' : `  (${why})`}`.slice(
      0,
      columns,
    );
  });
  if (left > 0) lines.push(`  and ${grouped(left)} more; raise --most to list them`);
  const head = `${count(coverage.matched, 'episode')} ${coverage.matched === 1 ? 'matches' : 'match'} the filters`;
  const by =
    ranked_by === null
      ? []
      : wrap(
          `Ranked by ${ranked_by.id} v${ranked_by.version}: ${ranked_by.says}${
            ranked_by.note === undefined ? '' : `. Not ranked by meaning: ${ranked_by.note}`
          }`,
          columns,
          '',
        );
  const without = coverage.not_ranked.map(
    ({ reason, episodes }) => `  not ranked: ${count(episodes, 'episode')}: ${printableName(reason)}`,
  );
  return `${[head, ...by, ...lines, ...without].join('\n')}\n`;
}
