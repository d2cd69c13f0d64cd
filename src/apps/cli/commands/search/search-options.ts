import { type Command, InvalidArgumentError, Option } from 'commander';
import { AssayError } from '#core';
import { type EpisodeSearchFilter, searchFilterSchema } from '#core/api';
import { descriptors } from '#quality/search';

/** What people choose episodes by; several values of one option are alternatives. */
export interface FilterArguments {
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

export interface RankArguments {
  readonly about?: string;
  readonly like?: string;
  readonly by: string;
  readonly from?: number;
  readonly to?: number;
}

/** Options of every command that chooses episodes. */
export function withFilters(command: Command): Command {
  return command
    .option('--text <words>', 'whose task has all these words')
    .option('--task <texts...>', 'whose whole task is one of these')
    .option('--outcome <outcomes...>', 'success, failure or unknown')
    .option('--robot <names...>', 'recorded with one of these')
    .option('--object <classes...>', 'whose labels name one of these')
    .option('--flag <codes...>', 'with one of these flags, such as frames_repeated')
    .option('--decision <decisions...>', 'accept, review or reject')
    .option('--episode-kind <kinds...>', 'teleop, egocentric, drive-log, aerial-flight, …')
    .option('--min-score <score>', 'with this score or a higher one, 0 to 1')
    .option('--max-score <score>', 'with this score or a lower one, 0 to 1')
    .option('--min-duration <seconds>', 'this long or longer')
    .option('--max-duration <seconds>', 'this long or shorter');
}

/** Options of every command that ranks what it chose. */
export function withRanking(command: Command): Command {
  return command
    .option('--about <words>', 'rank by how well the task fits these words')
    .option('--like <episode>', 'rank by likeness to this episode, by id or number')
    .addOption(
      new Option('--by <descriptor>', 'what --like compares').choices(descriptors.ids).default('motion'),
    )
    .option('--from <seconds>', '--like a moment of it: where it begins', seconds)
    .option('--to <seconds>', 'where that moment ends', seconds);
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value < 1e9) || text.trim() === '')
    throw new InvalidArgumentError('It must be a number of seconds from 0.');
  return value;
}

/** The filter that the options name. Throws `usage` and says which of them cannot be taken. */
export function filterOf(args: FilterArguments): EpisodeSearchFilter {
  const { text, task, outcome, robot, object, flag, decision } = args;
  const given = {
    ...{ text, task, outcome, robot, object, flag, decision },
    kind: args.episodeKind,
    min_score: numberOf(args.minScore),
    max_score: numberOf(args.maxScore),
    min_duration_s: numberOf(args.minDuration),
    max_duration_s: numberOf(args.maxDuration),
  };
  const parsed = searchFilterSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new AssayError('usage', `--${optionOf(String(path[0]))} cannot be taken: ${message}`, {
    advice: 'assay search --help lists the filters',
  });
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text.trim() === '' ? undefined : Number(text);

const optionOf = (member: string): string =>
  member === 'kind' ? 'episode-kind' : member.replace(/_s$/, '').replaceAll('_', '-');

/** The moment that --from and --to name; null where neither does. Throws `usage`. */
export function momentOf({ about, like, from, to }: RankArguments): { from_s: number; to_s: number } | null {
  if (about !== undefined && like !== undefined)
    throw new AssayError('usage', '--about and --like are two rankings', { advice: 'name one of them' });
  if (from === undefined && to === undefined) return null;
  if (like === undefined)
    throw new AssayError('usage', '--from and --to say which moment of --like', {
      advice: 'add --like EPISODE',
    });
  if (from === undefined || to === undefined || !(to > from))
    throw new AssayError('usage', 'a moment needs --from and a later --to, in seconds', {
      advice: 'such as --from 2 --to 4',
    });
  return { from_s: from, to_s: to };
}
