import type { ExportFile } from '#core/api';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { badCursor, type Page, pageOfRows } from '../page.ts';
import { demandWritten, filesOf } from './export-files.ts';
import { type ExportPath, loadExport } from './load-export.ts';

export interface ExportFilesQuery extends ExportPath {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** An export's files by path. Throws `not_found`, `not_ready`, `invalid_request` for a cursor of another list. */
export async function listExportFiles(
  store: Store,
  call: Call,
  { limit, cursor, ...path }: ExportFilesQuery,
): Promise<Page<ExportFile>> {
  requireRole(call, 'viewer');
  const files = await filesOf(store, demandWritten(await loadExport(store, call, path)));
  const after = cursor === undefined ? null : pathOf(cursor);
  const from = after === null ? 0 : files.findIndex((file) => file.path > after);
  const rows = from === -1 ? [] : files.slice(from, from + limit + 1);
  return pageOfRows(
    rows,
    limit,
    (last) => Buffer.from(last.path).toString('base64url'),
    ({ path: own, bytes, sha256 }) => ({ path: own, bytes, sha256 }),
  );
}

function pathOf(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString();
  if (Buffer.from(path).toString('base64url') === cursor) return path;
  throw badCursor('not a cursor of this list');
}
