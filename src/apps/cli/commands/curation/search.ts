import { AssayError } from '#core';
import { type EpisodeSearchFilter, type SearchQuery, searchQuerySchema } from '#core/api';
import { type EpisodeIndex, type FoundEpisode, indexEpisodes } from '#engine/local';
import { type SearchRank, type SearchResult, searchEpisodes } from '#quality/search';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { projectOf, reachService, type ServiceArguments } from '../../service-client.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { renderAnswer, renderHits } from '../../tables/search-table.ts';
import { type FilterArguments, filterOf, momentOf, type RankArguments } from './search-options.ts';

export interface SearchArguments extends FindArguments, ServiceArguments {
  /** Project of a running service to search, instead of a path. */
  readonly project?: string;
  readonly json?: boolean;
}

/** Runs `assay search PATH` or `assay search --project P`: episodes that pass the filters, best match first. */
export async function searchCommand(
  path: string | undefined,
  args: SearchArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (targetsService(path, args.project, 'search')) return searchService(args.project!, args, io, launcher);
  const { result } = await findInFolder(path!, args, io, { command: 'assay search', receipts: false });
  const { most, json } = args;
  await io.out(
    json === true
      ? `${JSON.stringify(asJson(result, most))}\n`
      : renderHits(result, { most, columns: io.columns }),
  );
  return 0;
}

/** Returns `true` if a project is given, `false` if a path is. Throws `usage` if both or neither is. */
export function targetsService(
  path: string | undefined,
  project: string | undefined,
  command: string,
): boolean {
  if ((path === undefined) !== (project === undefined)) return project !== undefined;
  throw new AssayError('usage', `${command} needs either a path or --project`, {
    advice: `assay ${command} data/pick-place, or assay ${command} --project arms`,
  });
}

async function searchService(
  project: string,
  args: SearchArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const query = toServiceQuery(args);
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, project);
  const answer = await client.search.episodes({
    project_id,
    ...query,
    limit: Math.min(args.most, 500),
  });
  await io.out(args.json === true ? `${JSON.stringify(answer)}\n` : renderAnswer(answer, io.columns));
  return 0;
}

function asJson({ coverage, ranked_by, hits }: SearchResult<FoundEpisode>, maxHits: number) {
  return {
    ranked_by,
    coverage,
    items: hits.slice(0, maxHits).map(({ episode, score, why, moment }) => {
      const { vectors: _, unranked: __, receipt: ___, curation: ____, score: readiness, ...rest } = episode;
      return { score, why, moment, episode: { ...rest, score: readiness } };
    }),
  };
}

/** Converts the options of `assay search` to the service's query. Throws `usage` if `--about` or `--like` is invalid. */
export function toServiceQuery(args: FilterArguments & RankArguments): SearchQuery {
  const moment = momentOf(args);
  const { about, like, by } = args;
  const rank =
    about !== undefined
      ? { by: 'text', text: about }
      : like === undefined
        ? null
        : { by: 'like', episode_id: like, descriptor: by, moment };
  const parsed = searchQuerySchema.safeParse({ filter: filterOf(args), rank });
  if (parsed.success) return parsed.data;
  throw new AssayError(
    'usage',
    `--${like === undefined ? 'about' : 'like'} is invalid: ${parsed.error.issues[0].message}`,
    {
      advice: 'with --project, name an episode by its id, ep_…',
    },
  );
}

/** Options of commands that find episodes below a path. */
interface FindArguments extends FilterArguments, RankArguments, WorkArguments {
  readonly most: number;
}

interface FoundInFolder {
  readonly index: EpisodeIndex;
  readonly filter: EpisodeSearchFilter;
  /** Ranking as requested, with the episode named by id; `null` if unranked. */
  readonly rank: object | null;
  readonly result: SearchResult<FoundEpisode>;
}

/**
 * Indexes the episodes below a path, or reads the index from the cache, and returns those that pass the filters,
 * ranked.
 */
export async function findInFolder(
  path: string,
  args: FindArguments,
  io: Io,
  { command, receipts }: { readonly command: string; readonly receipts: boolean },
): Promise<FoundInFolder> {
  requireLocalPath(path, command);
  const filter = filterOf(args);
  const moment = momentOf(args);
  const index = await indexWithProgress(path, args, io, receipts);
  const rank = rankOf(index.episodes, args, moment);
  const searchRequest =
    rank?.by === 'like'
      ? { by: 'like', episode: rank.episode.id, descriptor: rank.descriptor, moment }
      : rank;
  return { index, filter, rank: searchRequest, result: searchEpisodes(index.episodes, filter, rank) };
}

async function indexWithProgress(path: string, args: FindArguments, io: Io, receipts: boolean) {
  const progress = createProgressLine(io, path);
  try {
    const options = { ...assessOptionsOf(args), ...(receipts ? { receipts } : {}) };
    return await indexEpisodes(path, options, { signal: io.signal, onProgress: progress.show });
  } finally {
    progress.end();
  }
}

function rankOf(
  episodes: readonly FoundEpisode[],
  { about, like, by }: RankArguments,
  span: { from_s: number; to_s: number } | null,
): SearchRank | null {
  if (about !== undefined) return { by: 'text', text: about };
  if (like === undefined) return null;
  return { by: 'like', descriptor: by, episode: findByName(episodes, like), span };
}

function findByName(episodes: readonly FoundEpisode[], name: string): FoundEpisode {
  const found = episodes.filter(({ id, index, dataset }) =>
    [id, String(index), `${dataset}/${id}`].includes(name),
  );
  if (found.length === 1) return found[0];
  const what = found.length === 0 ? `no episode named ${name}` : `${found.length} episodes are named ${name}`;
  const [example] = found.length === 0 ? episodes : found;
  throw new AssayError('usage', what, {
    advice: `use DATASET/EPISODE, such as ${example === undefined ? 'arms/episode_000000' : `${example.dataset}/${example.id}`}`,
  });
}
