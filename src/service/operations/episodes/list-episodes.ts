import { z } from 'zod';
import { idPattern } from '#core';
import { type EpisodeSort, type EpisodeSummary, episodeSorts, type ProjectFinding } from '#core/api';
import type { Kind, Severity } from '#core/episode';
import {
  type EpisodeFilter,
  type EpisodePosition,
  episodePages,
  findingRows,
  projectRows,
  type Store,
} from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { badCursor, decodeCursor, encodeCursor, type Page, pageOfRows } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { summaryOf } from './views.ts';

/** Filters, order and page of a list of episodes. */
export interface EpisodeQuery extends Omit<EpisodeFilter, 'stream_kind'> {
  /** Kind as it is shown: a pinned kind applies to every episode of the project. */
  readonly kind?: readonly Kind[] | undefined;
  readonly project_id: string;
  readonly sort: EpisodeSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Lists a project's episodes that pass the filters, in the requested order. Cursors hold the sort value and id of the
 * last episode, so insertions and deletions neither repeat nor skip others. Throws `not_found`, `invalid_request` for
 * a cursor of another list.
 */
export async function listEpisodes(
  store: Store,
  call: Call,
  { cursor, limit, kind, ...query }: EpisodeQuery,
): Promise<Page<EpisodeSummary>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const after = parseCursor(query.sort, cursor);
  const ask = (stream_kind: readonly Kind[] | undefined) =>
    episodePages.listEpisodes(scope, { ...query, stream_kind, after, limit: limit + 1 });
  let page = await ask(kind);
  // A pinned kind is rare, so it is checked afterwards: then it, not the streams, decides which episodes pass.
  if (kind !== undefined && page !== null && page.pinned_kind !== null)
    page = kind.includes(page.pinned_kind) ? await ask(undefined) : { ...page, episodes: [] };
  if (page === null) throw noProject();
  const { pinned_kind } = page;
  return pageOfRows(
    page.episodes,
    limit,
    ({ value, id }) => cursorOf(query.sort, { value, id }),
    (row) => summaryOf(row, query.project_id, pinned_kind),
  );
}

const cursorShape = z.tuple([
  z.enum(episodeSorts),
  z.union([z.number(), z.string()]),
  z.string().regex(idPattern('ep')),
]);

/** Returns the cursor after the last episode of a page. */
const cursorOf = (sort: EpisodeSort, { value, id }: EpisodePosition): string =>
  encodeCursor([sort, value, id]);

/** Parses a cursor of `cursorOf` for the same order; null if none was sent. Throws `invalid_request`. */
function parseCursor(sort: EpisodeSort, cursor: string | undefined): EpisodePosition | null {
  if (cursor === undefined) return null;
  const parsed = cursorShape.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw badCursor('must be a cursor returned by this list');
  const [made_for, value, id] = parsed.data;
  if (made_for !== sort) throw badCursor(`the cursor belongs to sort=${made_for}`);
  const numeric = /^-?(score|duration_s)$/.test(sort);
  if (numeric !== (typeof value === 'number')) throw badCursor('must be a cursor returned by this list');
  return { value, id };
}

/** Filters and page of a project's findings. */
export interface ProjectFindingQuery {
  readonly project_id: string;
  readonly severity?: readonly Severity[] | undefined;
  readonly code?: readonly string[] | undefined;
  readonly source_id?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const int32 = z
  .int()
  .min(-1)
  .max(2 ** 31 - 1);
const findingCursorShape = z.tuple([int32, z.string().regex(idPattern('run')), int32, int32]);

/**
 * Lists the dataset findings of the newest finished run of each source, worst first. Throws `not_found`,
 * `invalid_request` for a cursor of another list.
 */
export async function listFindings(
  store: Store,
  call: Call,
  { cursor, ...query }: ProjectFindingQuery,
): Promise<Page<ProjectFinding>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const after = cursor === undefined ? null : findingCursorShape.safeParse(decodeCursor(cursor));
  if (after?.success === false) throw badCursor('must be a cursor returned by this list');
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const { severity, code, source_id } = query;
  const rows = await findingRows.listFindings(scope, {
    ...{ project_id: query.project_id, severity, code, source_id },
    after: after?.data ?? null,
    limit: query.limit + 1,
  });
  return pageOfRows(
    rows,
    query.limit,
    ({ place }) => encodeCursor(place),
    ({ finding, place: _, ...row }) => ({ ...row, ...finding }),
  );
}
