import type { SearchFilter, SearchQueryInput } from '#client';
import { readFilter } from '../episodes/filter.ts';

/** Filters and ranking of a search, as URL parameters. */
export interface SearchAddress extends SearchFilter {
  /** Rank by this text. */
  readonly about?: string | undefined;
  /** `words`: compare the words of `about`. Default: its meaning, if the service can. */
  readonly match?: 'words' | undefined;
  /** Rank by similarity to this episode. */
  readonly like?: string | undefined;
  /** Descriptor that `like` compares. Default `motion`. */
  readonly by?: string | undefined;
  /** Segment of that episode to compare; both or neither. */
  readonly from_s?: number | undefined;
  readonly to_s?: number | undefined;
}

const lists = ['kind', 'robot', 'object', 'tags', 'layer', 'source_id', 'run_id'] as const;
const seconds = ['min_duration_s', 'max_duration_s', 'from_s', 'to_s'] as const;

/** Parses URL parameters; invalid ones are ignored. */
export function readSearch(search: Readonly<Record<string, unknown>>): SearchAddress {
  const { sort: _, view: _view, ...known } = readFilter(search);
  const { by, like, about, match } = search;
  const ranked =
    typeof like === 'string' && /^ep_[0-9a-z]{26}$/.test(like)
      ? { like, by: typeof by === 'string' && /^[a-z][a-z0-9_-]{0,40}$/.test(by) ? by : undefined }
      : { about: textOf(about), match: match === 'words' ? match : undefined };
  return withoutGaps({
    ...known,
    ...Object.fromEntries(lists.map((name) => [name, textsOf(search[name])])),
    ...Object.fromEntries(seconds.map((name) => [name, numberOf(search[name], 1e9)])),
    min_score: numberOf(search.min_score, 1),
    text: textOf(search.text),
    ...ranked,
  });
}

/** Converts the URL parameters to a search query. */
export function queryOf({
  about,
  match,
  like,
  by,
  from_s,
  to_s,
  ...filter
}: SearchAddress): SearchQueryInput {
  if (like !== undefined) {
    const moment = from_s !== undefined && to_s !== undefined && to_s > from_s ? { from_s, to_s } : null;
    return { filter, rank: { by: 'like', episode_id: like, descriptor: by ?? 'motion', moment } };
  }
  const rank = about === undefined ? null : { by: 'text' as const, text: about };
  return { filter, rank: rank === null || match === undefined ? rank : { ...rank, match } };
}

/** Returns the parameters with a change applied; members changed to undefined are removed. */
export const changed = (before: SearchAddress, change: SearchAddress): SearchAddress =>
  withoutGaps({ ...before, ...change });

/** Returns true if any filter is set. */
export const isFiltered = ({
  about: _,
  match: _m,
  like: _l,
  by: _b,
  from_s: _f,
  to_s: _t,
  ...filter
}: SearchAddress) => Object.keys(filter).length > 0;

const withoutGaps = (members: object): SearchAddress =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

function textOf(given: unknown): string | undefined {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
  return text === '' ? undefined : text.slice(0, 1000);
}

function textsOf(given: unknown): readonly string[] | undefined {
  const list = (Array.isArray(given) ? given : [given]).flatMap((each) => textOf(each) ?? []);
  return list.length === 0 ? undefined : list.slice(0, 50);
}

function numberOf(given: unknown, most: number): number | undefined {
  const value = typeof given === 'number' ? given : Number.NaN;
  return value >= 0 && value <= most ? value : undefined;
}
