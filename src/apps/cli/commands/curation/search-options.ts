import { type Command, InvalidArgumentError, Option } from 'commander';
import { AssayError } from '#core';
import { type EpisodeSearchFilter, searchFilterSchema } from '#core/api';
import { descriptors } from '#quality/search';

/** Filter options; several values of one option are alternatives. */
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

/**
 * Adds the options that filter episodes (task, outcome, robot, object, flag, decision, kind, score, duration) to a
 * command and returns it.
 */
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
export function filterOf(args: FilterArguments): EpisodeSearchFilter {
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
export function momentOf({ about, like, from, to }: RankArguments): { from_s: number; to_s: number } | null {
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
