import type { SourceFile } from '#core/api';
import { type Store, sourceRows, uploadFileRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noSource, sourceFileOf } from './views.ts';

export interface SourceFileQuery {
  readonly source_id: string;
  readonly state: 'all' | 'unfinished';
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Files of an upload by path; other sources have none here. Throws `not_found`. */
export async function listSourceFiles(
  store: Store,
  call: Call,
  query: SourceFileQuery,
): Promise<Page<SourceFile>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const source = await sourceRows.getSource(scope, query.source_id);
  if (source === null) throw noSource();
  const cursor = readCursor(query.cursor, /^[A-Za-z0-9_-]+$/);
  const rows = await uploadFileRows.listUploadFiles(scope, {
    source_id: source.id,
    after: cursor === null ? null : Buffer.from(cursor, 'base64url').toString(),
    limit: query.limit + 1,
    unfinished: query.state === 'unfinished',
  });
  return pageOfRows(rows, query.limit, ({ path }) => Buffer.from(path).toString('base64url'), sourceFileOf);
}
