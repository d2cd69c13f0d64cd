import { AssayError } from '#core';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { demandWritten, filesOf, type StoredFile, type WrittenExport } from './export-files.ts';
import { type ExportPath, loadExport } from './load-export.ts';
import { type RangedBytes, readFileRanges } from './read-file-ranges.ts';

/** One file of an export. Throws `not_found`, `not_ready`. */
export async function getExportFile(
  store: Store,
  call: Call,
  { file, ...path }: ExportPath & { readonly file: string },
): Promise<{ readonly sha256: string; readonly body: RangedBytes }> {
  requireRole(call, 'viewer');
  const row = demandWritten(await loadExport(store, call, path));
  const found = (await filesOf(store, row)).find((one) => one.path === file);
  if (found === undefined)
    throw new AssayError('not_found', 'the export has no such file', {
      advice: `GET /v1/projects/${row.project_id}/exports/${row.id}/files lists them`,
    });
  return { sha256: found.sha256, body: bytesOf(store, row, found) };
}

function bytesOf(store: Store, { blob_prefix }: WrittenExport, { path, bytes }: StoredFile): RangedBytes {
  return { bytes, open: (from, until) => readFileRanges(store, blob_prefix, [{ path, from, until }]) };
}
