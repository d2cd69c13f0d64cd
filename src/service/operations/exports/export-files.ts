import { AssayError } from '#core';
import { exportIndexKey } from '#engine';
import type { ArchivedFile } from '#io/archives';
import type { ExportRow, Store } from '#store';
import { RecentlyUsed } from '../recently-used.ts';

/** A file as the export's index lists it. */
export interface StoredFile extends ArchivedFile {
  readonly sha256: string;
}

/** A finished export's row with what only that has. */
export type WrittenExport = ExportRow & { readonly blob_prefix: string; readonly seal: string };

/** Throws `not_ready` for an export of which there are no files. */
export function demandWritten(row: ExportRow): WrittenExport {
  const { blob_prefix, seal, status } = row;
  if (blob_prefix !== null && seal !== null) return { ...row, blob_prefix, seal };
  const goesOn = status === 'queued' || status === 'running';
  throw new AssayError('not_ready', `the export is ${status}: it has no files`, {
    advice: goesOn ? 'follow GET /v1/projects/{project_id}/exports/{export_id} until it has' : 'export again',
    details: { status },
  });
}

/** Files that are known at once; some 200 bytes each. */
const mostKept = 200_000;
const kept = new RecentlyUsed<readonly StoredFile[]>(mostKept, (files) => files.length);

/** Every file of an export, in the order of the paths. */
export async function filesOf(
  { blobs }: Pick<Store, 'blobs'>,
  { blob_prefix }: WrittenExport,
): Promise<readonly StoredFile[]> {
  const known = kept.get(blob_prefix);
  if (known !== undefined) return known;
  const bytes = await blobs.get(exportIndexKey(blob_prefix));
  const files = JSON.parse(Buffer.from(bytes).toString()) as StoredFile[];
  kept.put(blob_prefix, files);
  return files;
}
