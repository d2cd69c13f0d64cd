import { AssayError } from '#core';
import type { FoundEpisode } from '#engine/local';
import type { SearchResult } from '#quality/search';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { type PlaceArguments, reachService } from '../../service-place.ts';
import { renderAnswer, renderHits } from '../../tables/search-table.ts';
import { type FindArguments, findInFolder } from './find-episodes.ts';
import { queryOf } from './query-of.ts';

export interface SearchArguments extends FindArguments, PlaceArguments {
  /** At a service: whose episodes. */
  readonly project?: string;
  readonly json?: boolean;
}

/** `assay search PATH|--project P`: the episodes that pass the filters, most fitting first. */
export async function searchCommand(
  path: string | undefined,
  args: SearchArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (onePlace(path, args.project, 'search')) return searchService(args.project!, args, io, launcher);
  const { result } = await findInFolder(path!, args, io, { command: 'assay search', receipts: false });
  const { most, json } = args;
  await io.out(
    json === true
      ? `${JSON.stringify(asJson(result, most))}\n`
      : renderHits(result, { most, columns: io.columns }),
  );
  return 0;
}

/** Whether a service is meant. Throws `usage` where both or neither is. */
export function onePlace(path: string | undefined, project: string | undefined, command: string): boolean {
  if ((path === undefined) !== (project === undefined)) return project !== undefined;
  throw new AssayError('usage', `${command} takes a path or --project, one of them`, {
    advice: `assay ${command} data/pick-place, or assay ${command} --project arms`,
  });
}

async function searchService(
  project: string,
  args: SearchArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const query = queryOf(args);
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, project);
  const answer = await client.search.searchEpisodes({
    project_id,
    ...query,
    limit: Math.min(args.most, 500),
  });
  await io.out(args.json === true ? `${JSON.stringify(answer)}\n` : renderAnswer(answer, io.columns));
  return 0;
}

function asJson({ coverage, ranked_by, hits }: SearchResult<FoundEpisode>, most: number) {
  return {
    ranked_by,
    coverage,
    items: hits.slice(0, most).map(({ episode, score, why, moment }) => {
      const { vectors: _, unranked: __, receipt: ___, curation: ____, score: readiness, ...rest } = episode;
      return { score, why, moment, episode: { ...rest, score: readiness } };
    }),
  };
}
