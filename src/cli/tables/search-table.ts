import type { FoundEpisode } from '#assess';
import type { SearchResult } from '#search';
import { printableName } from '../printable.ts';
import { count, grouped } from '../words.ts';
import { wrap } from '../wrap.ts';

/** What `assay search` prints for a person: the answers, and what could not be ranked. */
export function renderHits(
  { coverage, ranked_by, hits }: SearchResult<FoundEpisode>,
  { most, columns }: { readonly most: number; readonly columns: number },
): string {
  const lines = hits.slice(0, most).map(({ episode, score, why }) => {
    const { dataset, id, decision, tasks } = episode;
    const name = printableName(dataset === '.' ? id : `${dataset}/${id}`);
    const alike = score === null ? '' : `${score.toFixed(3)}  `;
    const task = tasks.length === 0 ? 'no task' : printableName(tasks[0]);
    return `  ${alike}${name}  ${decision}  ${task}${score === null ? '' : `  (${why})`}`.slice(0, columns);
  });
  if (hits.length > most) lines.push(`  and ${grouped(hits.length - most)} more; --most shows more`);
  const head = `${count(coverage.matched, 'episode')} ${coverage.matched === 1 ? 'passes' : 'pass'} the filters`;
  const by =
    ranked_by === null
      ? []
      : wrap(`Ranked by ${ranked_by.id} v${ranked_by.version}: ${ranked_by.says}`, columns, '');
  const left = coverage.not_ranked.map(
    ({ reason, episodes }) => `  not ranked: ${count(episodes, 'episode')}, since ${printableName(reason)}`,
  );
  return `${[head, ...by, ...lines, ...left].join('\n')}\n`;
}
