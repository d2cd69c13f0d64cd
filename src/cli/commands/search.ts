import { type FoundEpisode, indexEpisodes } from '#assess';
import type { Kind } from '#episode';
import { AssayError } from '#kernel';
import { type SearchRank, type SearchResult, searchEpisodes } from '#search';
import { demandNoAddress } from '../demand-no-address.ts';
import type { Io } from '../io.ts';
import { type FilterArguments, filterOf, momentOf, type RankArguments } from '../search-options.ts';
import { createProgressLine } from '../tables/progress-line.ts';
import { renderHits } from '../tables/search-table.ts';
import { readSettings } from './read-settings.ts';

export interface SearchArguments extends FilterArguments, RankArguments {
  readonly most: number;
  readonly json?: boolean;
  readonly workers?: number;
  readonly settings?: string;
  readonly kind?: Kind;
  readonly limit?: number;
  /** Folder of what assess keeps; null: none. */
  readonly cache?: string | null;
}

/** `assay search PATH`: the episodes under a path that pass the filters, most fitting first. */
export async function searchCommand(path: string, args: SearchArguments, io: Io): Promise<number> {
  demandNoAddress(path, 'assay search');
  const filter = filterOf(args);
  const moment = momentOf(args);
  const episodes = await indexWithProgress(path, args, io);
  const rank = rankOf(episodes, args, moment);
  const result = searchEpisodes(episodes, filter, rank);
  await io.out(
    args.json === true
      ? `${JSON.stringify(asJson(result, args.most))}\n`
      : renderHits(result, { most: args.most, columns: io.columns }),
  );
  return 0;
}

/** The index of a path, made or taken from the cache. */
async function indexWithProgress(path: string, args: SearchArguments, io: Io) {
  const { workers, settings, kind, limit, cache } = args;
  const progress = createProgressLine(io, path);
  try {
    const options = {
      ...(workers === undefined ? {} : { workers }),
      ...(settings === undefined ? {} : { settings: readSettings(settings) }),
      ...(kind === undefined ? {} : { kind }),
      ...(limit === undefined ? {} : { limit }),
      ...(cache == null ? {} : { cacheFolder: cache }),
    };
    const hooks = { signal: io.signal, onProgress: progress.show };
    return (await indexEpisodes(path, options, hooks)).episodes;
  } finally {
    progress.end();
  }
}

function rankOf(
  episodes: readonly FoundEpisode[],
  { about, like, by }: RankArguments,
  span: { from_s: number; to_s: number } | null,
): SearchRank | null {
  if (about !== undefined && like !== undefined)
    throw new AssayError('usage', '--about and --like are two rankings', { advice: 'name one of them' });
  if (about !== undefined) return { by: 'text', text: about };
  if (like === undefined) return null;
  return { by: 'like', descriptor: by, episode: named(episodes, like), span };
}

function named(episodes: readonly FoundEpisode[], name: string): FoundEpisode {
  const found = episodes.filter(({ id, index, dataset }) =>
    [id, String(index), `${dataset}/${id}`].includes(name),
  );
  if (found.length === 1) return found[0];
  const what =
    found.length === 0 ? `there is no episode ${name}` : `${found.length} episodes are called ${name}`;
  const [example] = found.length === 0 ? episodes : found;
  throw new AssayError('usage', what, {
    advice: `name one as DATASET/EPISODE, such as ${example === undefined ? 'arms/episode_000000' : `${example.dataset}/${example.id}`}`,
  });
}

function asJson({ coverage, ranked_by, hits }: SearchResult<FoundEpisode>, most: number) {
  return {
    ranked_by,
    coverage,
    items: hits.slice(0, most).map(({ episode, score, why, moment }) => {
      const { vectors: _, unranked: __, score: readiness, ...rest } = episode;
      return { score, why, moment, episode: { ...rest, score: readiness } };
    }),
  };
}
