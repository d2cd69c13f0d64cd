import { tarOf, zipOf } from '#io/archives';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { demandWritten, filesOf } from './export-files.ts';
import { type ExportPath, loadExport } from './load-export.ts';
import { type RangedBytes, readFileRanges } from './read-file-ranges.ts';

const archives = { tar: tarOf, zip: zipOf } as const;

/** An archive on its way, and the seal of what is in it. */
export interface DownloadedExport {
  readonly name: string;
  readonly seal: string;
  readonly body: RangedBytes;
}

/** All files of an export as one archive, the same bytes each time. Throws `not_found`, `not_ready`. */
export async function downloadExport(
  store: Store,
  call: Call,
  { as, ...path }: ExportPath & { readonly as: keyof typeof archives },
): Promise<DownloadedExport> {
  requireRole(call, 'viewer');
  const row = demandWritten(await loadExport(store, call, path));
  const archive = archives[as](await filesOf(store, row));
  const open = (from: number, until: number) =>
    readFileRanges(store, row.blob_prefix, archive.ranges(from, until));
  return { name: `${row.id}.${as}`, seal: row.seal, body: { bytes: archive.bytes, open } };
}
