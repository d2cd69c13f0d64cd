import type { SearchFilter, SearchQueryInput } from '@assay/client';
import { readFilter } from '../episodes/filter.ts';

/** What the address of a search says: which episodes pass, and what they are ranked by. */
export interface SearchAddress extends SearchFilter {
  /** Ranked by these words. */
  readonly about?: string | undefined;
  /** Ranked by likeness to this episode, */
  readonly like?: string | undefined;
  /** by what a descriptor knows of it: `motion` where it is left out. */
  readonly by?: string | undefined;
  /** A moment of it; both or neither. */
  readonly from_s?: number | undefined;
  readonly to_s?: number | undefined;
}

const lists = ['kind', 'robot', 'object', 'tags', 'layer', 'source_id', 'run_id'] as const;
const seconds = ['min_duration_s', 'max_duration_s', 'from_s', 'to_s'] as const;

/** Reads an address as anybody may have typed it: what makes no sense is left out. */
export function readSearch(search: Readonly<Record<string, unknown>>): SearchAddress {
  const { sort: _, view: _view, ...known } = readFilter(search);
  const { by, like, about } = search;
  const ranked =
    typeof like === 'string' && /^ep_[0-9a-z]{26}$/.test(like)
      ? { like, by: typeof by === 'string' && /^[a-z][a-z0-9_-]{0,40}$/.test(by) ? by : undefined }
      : { about: textOf(about) };
  return withoutGaps({
    ...known,
    ...Object.fromEntries(lists.map((name) => [name, textsOf(search[name])])),
    ...Object.fromEntries(seconds.map((name) => [name, numberOf(search[name], 1e9)])),
    min_score: numberOf(search.min_score, 1),
    text: textOf(search.text),
    ...ranked,
  });
}

/** The search that an address asks for. */
export function queryOf({ about, like, by, from_s, to_s, ...filter }: SearchAddress): SearchQueryInput {
  if (like !== undefined) {
    const moment = from_s !== undefined && to_s !== undefined && to_s > from_s ? { from_s, to_s } : null;
    return { filter, rank: { by: 'like', episode_id: like, descriptor: by ?? 'motion', moment } };
  }
  return { filter, rank: about === undefined ? null : { by: 'text', text: about } };
}

/** With a change; a member that is changed to undefined is left out. */
export const changed = (before: SearchAddress, change: SearchAddress): SearchAddress =>
  withoutGaps({ ...before, ...change });

/** Whether any filter is set. */
export const isFiltered = ({ about: _, like: _l, by: _b, from_s: _f, to_s: _t, ...filter }: SearchAddress) =>
  Object.keys(filter).length > 0;

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
