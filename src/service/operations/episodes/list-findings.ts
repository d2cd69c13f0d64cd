import { z } from 'zod';
import { idPattern } from '#core';
import type { ProjectFinding } from '#core/api';
import type { Severity } from '#core/episode';
import { findingRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { badCursor, type Page, pageOfRows } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { readWord, wordOf } from './opaque-word.ts';

export interface ProjectFindingQuery {
  readonly project_id: string;
  readonly severity?: readonly Severity[] | undefined;
  readonly code?: readonly string[] | undefined;
  readonly source_id?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const whole = z
  .int()
  .min(-1)
  .max(2 ** 31 - 1);
const placeShape = z.tuple([whole, z.string().regex(idPattern('run')), whole, whole]);

/**
 * What the newest finished run of each source found of its recordings as a whole, worst first. Throws `not_found`, and
 * `invalid_request` for a cursor of another list.
 */
export async function listFindings(
  store: Store,
  call: Call,
  { cursor, ...query }: ProjectFindingQuery,
): Promise<Page<ProjectFinding>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const after = cursor === undefined ? null : placeShape.safeParse(readWord(cursor));
  if (after?.success === false) throw badCursor('not a cursor of this list');
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
    ({ place }) => wordOf(place),
    ({ finding, place: _, ...row }) => ({ ...row, ...finding }),
  );
}
