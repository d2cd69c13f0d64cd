import { type Command, InvalidArgumentError, Option } from 'commander';
import { AssayError } from '#core';
import { type EpisodeSearchFilter, type SearchQuery, searchFilterSchema, searchQuerySchema } from '#core/api';
import { type EpisodeIndex, type FoundEpisode, indexEpisodes } from '#engine/local';
import { descriptors, type SearchRank, type SearchResult, searchEpisodes } from '#quality/search';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { reachService, type ServiceArguments } from '../../service-endpoint.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { renderAnswer, renderHits } from '../../tables/search-table.ts';

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

/** Filter options; several values of one option are alternatives. */
interface FilterArguments {
  readonly text?: string;
  readonly task?: readonly string[];
  readonly outcome?: readonly string[];
  readonly robot?: readonly string[];
  readonly object?: readonly string[];
  readonly flag?: readonly string[];
  readonly decision?: readonly string[];
  readonly episodeKind?: readonly string[];
  readonly minScore?: string;
  readonly maxScore?: string;
  readonly minDuration?: string;
  readonly maxDuration?: string;
}

interface RankArguments {
  readonly about?: string;
  readonly like?: string;
  readonly by: string;
  readonly from?: number;
  readonly to?: number;
}

/** Adds the filter options. */
export function withFilters(command: Command): Command {
  return command
    .option('--text <words>', 'Task contains all these words')
    .option('--task <texts...>', 'Task is exactly one of these')
    .option('--outcome <outcomes...>', 'Outcome: success, failure or unknown')
    .option('--robot <names...>', 'Recorded with one of these robots')
    .option('--object <classes...>', 'Labels contain one of these object classes')
    .option('--flag <codes...>', 'Has one of these flags, such as frames_repeated')
    .option('--decision <decisions...>', 'Decision: accept, review or reject')
    .option('--episode-kind <kinds...>', 'Kind: teleop, egocentric, drive-log, aerial-flight, …')
    .option('--min-score <score>', 'Minimum score, 0 to 1')
    .option('--max-score <score>', 'Maximum score, 0 to 1')
    .option('--min-duration <seconds>', 'Minimum duration')
    .option('--max-duration <seconds>', 'Maximum duration');
}

/** Adds the ranking options. */
export function withRanking(command: Command): Command {
  return command
    .option('--about <words>', 'Rank by how well the task matches these words')
    .option('--like <episode>', 'Rank by similarity to this episode, by id or number')
    .addOption(
      new Option('--by <descriptor>', 'What --like compares').choices(descriptors.ids).default('motion'),
    )
    .option('--from <seconds>', 'With --like: compare only from this time of that episode', seconds)
    .option('--to <seconds>', 'With --like: compare only up to this time of that episode', seconds);
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value < 1e9) || text.trim() === '')
    throw new InvalidArgumentError('Must be a number of seconds, 0 or more.');
  return value;
}

/** Builds the filter. Throws `usage` naming the option that is invalid. */
function filterOf(args: FilterArguments): EpisodeSearchFilter {
  const { text, task, outcome, robot, object, flag, decision } = args;
  const filters = {
    ...{ text, task, outcome, robot, object, flag, decision },
    kind: args.episodeKind,
    min_score: numberOf(args.minScore),
    max_score: numberOf(args.maxScore),
    min_duration_s: numberOf(args.minDuration),
    max_duration_s: numberOf(args.maxDuration),
  };
  const parsed = searchFilterSchema.safeParse(filters);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new AssayError('usage', `--${optionOf(String(path[0]))} is invalid: ${message}`, {
    advice: 'assay search --help lists the filters',
  });
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text.trim() === '' ? undefined : Number(text);

const optionOf = (member: string): string =>
  member === 'kind' ? 'episode-kind' : member.replace(/_s$/, '').replaceAll('_', '-');

/**
 * Returns the time span of `--from` and `--to`; `null` if neither is given. Throws `usage` for an incomplete or
 * misplaced span.
 */
function momentOf({ about, like, from, to }: RankArguments): { from_s: number; to_s: number } | null {
  if (about !== undefined && like !== undefined)
    throw new AssayError('usage', '--about and --like cannot be combined', { advice: 'use one of them' });
  if (from === undefined && to === undefined) return null;
  if (like === undefined)
    throw new AssayError('usage', '--from and --to require --like', {
      advice: 'add --like EPISODE',
    });
  if (from === undefined || to === undefined || !(to > from))
    throw new AssayError('usage', '--from and --to must both be given, with --to after --from', {
      advice: 'for example --from 2 --to 4',
    });
  return { from_s: from, to_s: to };
}
