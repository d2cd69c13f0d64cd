import type { ListEpisodesInput } from '#client';
import { type Decision, decisions } from '#quality/report/views';

/** Filters and sorting of the episode list, as URL parameters. */
export interface EpisodeFilter {
  readonly decision?: readonly Decision[];
  readonly review_decision?: readonly (Decision | 'none')[];
  readonly flag?: readonly string[];
  readonly tags?: readonly string[];
  readonly outcome?: readonly ('success' | 'failure' | 'unknown')[];
  readonly task?: readonly string[];
  /** Scores from 0 to 1, ends included. */
  readonly min_score?: number;
  readonly max_score?: number;
  readonly sort?: NonNullable<ListEpisodesInput['sort']>;
  /** Show thumbnails or a map; absent for rows. */
  readonly view?: 'pictures' | 'map';
}

const sorts = ['score', '-score', 'duration_s', '-duration_s', 'created', '-created', 'name'] as const;
const outcomes = ['success', 'failure', 'unknown'] as const;

/** Parses URL parameters; invalid ones are ignored. */
export function readFilter(search: Readonly<Record<string, unknown>>): EpisodeFilter {
  const filter = {
    decision: among(search.decision, decisions),
    review_decision: among(search.review_decision, [...decisions, 'none'] as const),
    flag: texts(search.flag),
    tags: texts(search.tags),
    outcome: among(search.outcome, outcomes),
    task: texts(search.task),
    min_score: fraction(search.min_score),
    max_score: fraction(search.max_score),
    sort: sorts.find((each) => each === search.sort),
    view: search.view === 'pictures' || search.view === 'map' ? search.view : undefined,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function fraction(given: unknown): number | undefined {
  const value = given === undefined ? Number.NaN : Number(given);
  return value >= 0 && value <= 1 ? value : undefined;
}

function texts(given: unknown): readonly string[] | undefined {
  const list = (Array.isArray(given) ? given : [given]).filter(
    (each): each is string => typeof each === 'string' && each !== '' && each.length <= 200,
  );
  return list.length === 0 ? undefined : list;
}

function among<T extends string>(given: unknown, known: readonly T[]): readonly T[] | undefined {
  const list = known.filter((each) => texts(given)?.includes(each));
  return list.length === 0 ? undefined : list;
}

/** Returns the list with a value added, or removed if present; undefined if it becomes empty. */
export function toggled<T>(list: readonly T[] | undefined, value: T): readonly T[] | undefined {
  const rest = (list ?? []).filter((each) => each !== value);
  const next = rest.length === (list ?? []).length ? [...rest, value] : rest;
  return next.length === 0 ? undefined : next;
}
