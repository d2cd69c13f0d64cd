import { AssayError } from '#core';
import type { EpisodeSearchFilter } from '#core/api';
import { type EpisodeIndex, type FoundEpisode, indexEpisodes } from '#engine/local';
import { type SearchRank, type SearchResult, searchEpisodes } from '#quality/search';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { type FilterArguments, filterOf, momentOf, type RankArguments } from './search-options.ts';

/** What commands that find episodes under a path are given. */
export interface FindArguments extends FilterArguments, RankArguments, WorkArguments {
  readonly most: number;
}

export interface FoundInFolder {
  readonly index: EpisodeIndex;
  readonly filter: EpisodeSearchFilter;
  /** As it was asked: the episode by its name. */
  readonly rank: object | null;
  readonly result: SearchResult<FoundEpisode>;
}

/** The episodes under a path that pass the filters, ranked; the index is made, or taken from the cache. */
export async function findInFolder(
  path: string,
  args: FindArguments,
  io: Io,
  { command, receipts }: { readonly command: string; readonly receipts: boolean },
): Promise<FoundInFolder> {
  demandNoAddress(path, command);
  const filter = filterOf(args);
  const moment = momentOf(args);
  const index = await indexWithProgress(path, args, io, receipts);
  const rank = rankOf(index.episodes, args, moment);
  const asked =
    rank?.by === 'like'
      ? { by: 'like', episode: rank.episode.id, descriptor: rank.descriptor, moment }
      : rank;
  return { index, filter, rank: asked, result: searchEpisodes(index.episodes, filter, rank) };
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
