import { Readable } from 'node:stream';
import { AssayError } from '#core';
import type { ExportFile } from '#core/api';
import { exportFileKey, exportIndexKey, lineageFile } from '#engine';
import { type ArchivedFile, createTar, createZip, type FileRange } from '#io/archives';
import type { ExportRow, Store } from '#store';
import { LruCache } from '../caches.ts';
import { type Call, requireRole } from '../call.ts';
import { badCursor, type Page, pageOfRows } from '../page.ts';
import { type ExportPath, loadExport } from './manage-exports.ts';

/** A file in an export's index. */
interface StoredFile extends ArchivedFile {
  readonly sha256: string;
}

/** Row of an export whose files are written. */
type FinishedExport = ExportRow & { readonly blob_prefix: string; readonly seal: string };

/** Returns the row of a finished export. Throws `not_ready` if it has no files. */
function requireFiles(row: ExportRow): FinishedExport {
  const { blob_prefix, seal, status } = row;
  if (blob_prefix !== null && seal !== null) return { ...row, blob_prefix, seal };
  const goesOn = status === 'queued' || status === 'running';
  throw new AssayError('not_ready', `the export is ${status} and has no files`, {
    advice: goesOn
      ? 'wait until GET /v1/projects/{project_id}/exports/{export_id} reports success'
      : 'create a new export',
    details: { status },
  });
}

/** Files in the cache of indexes, about 200 bytes each. */
const maxCachedFiles = 200_000;
const fileIndexCache = new LruCache<readonly StoredFile[]>(maxCachedFiles, (files) => files.length);

/** Returns every file in the index of an export, sorted by path; cached. */
async function readFileIndex(
  { blobs }: Pick<Store, 'blobs'>,
  { blob_prefix }: FinishedExport,
): Promise<readonly StoredFile[]> {
  const cached = fileIndexCache.get(blob_prefix);
  if (cached !== undefined) return cached;
  const bytes = await blobs.get(exportIndexKey(blob_prefix));
  const files = JSON.parse(Buffer.from(bytes).toString()) as StoredFile[];
  fileIndexCache.put(blob_prefix, files);
  return files;
}

/** Page of an export's files. */
interface ExportFilesQuery extends ExportPath {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Lists the files of an export by path. Throws `not_found`, `not_ready`, `invalid_request` for a cursor of another
 * list.
 */
export async function listExportFiles(
  store: Store,
  call: Call,
  { limit, cursor, ...path }: ExportFilesQuery,
): Promise<Page<ExportFile>> {
  requireRole(call, 'viewer');
  const files = await readFileIndex(store, requireFiles(await loadExport(store, call, path)));
  const after = cursor === undefined ? null : decodePathCursor(cursor);
  const from = after === null ? 0 : files.findIndex((file) => file.path > after);
  const rows = from === -1 ? [] : files.slice(from, from + limit + 1);
  return pageOfRows(
    rows,
    limit,
    (last) => Buffer.from(last.path).toString('base64url'),
    ({ path: own, bytes, sha256 }) => ({ path: own, bytes, sha256 }),
  );
}

function decodePathCursor(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString();
  if (Buffer.from(path).toString('base64url') === cursor) return path;
  throw badCursor('must be a cursor returned by this list');
}

/** Returns the hash of one file of an export, and its content to be read on demand. Throws `not_found`, `not_ready`. */
export async function getExportFile(
  store: Store,
  call: Call,
  { file, ...path }: ExportPath & { readonly file: string },
): Promise<{ readonly sha256: string; readonly body: RangedBytes }> {
  requireRole(call, 'viewer');
  const row = requireFiles(await loadExport(store, call, path));
  const found = (await readFileIndex(store, row)).find((one) => one.path === file);
  if (found === undefined)
    throw new AssayError('not_found', 'file not found in the export', {
      advice: `list the files with GET /v1/projects/${row.project_id}/exports/${row.id}/files`,
    });
  return { sha256: found.sha256, body: openFile(store, row, found) };
}

function openFile(store: Store, { blob_prefix }: FinishedExport, { path, bytes }: StoredFile): RangedBytes {
  return { bytes, open: (from, until) => readFileRanges(store, blob_prefix, [{ path, from, until }]) };
}

const archives = { tar: createTar, zip: createZip } as const;

/** An archive to download, and the seal of its content. */
interface DownloadedExport {
  readonly name: string;
  readonly seal: string;
  readonly body: RangedBytes;
}

/**
 * Returns all files of an export as one tar or zip archive, with the same bytes every time. Throws `not_found`,
 * `not_ready`.
 */
export async function downloadExport(
  store: Store,
  call: Call,
  { as, ...path }: ExportPath & { readonly as: keyof typeof archives },
): Promise<DownloadedExport> {
  requireRole(call, 'viewer');
  const row = requireFiles(await loadExport(store, call, path));
  const archive = archives[as](await readFileIndex(store, row));
  const open = (from: number, until: number) =>
    readFileRanges(store, row.blob_prefix, archive.ranges(from, until));
  return { name: `${row.id}.${as}`, seal: row.seal, body: { bytes: archive.bytes, open } };
}

/**
 * Returns the lineage file of an export and its seal. Throws `not_found`, also for a certification bundle, which has none, and
 * `not_ready`.
 */
export async function getExportLineage(
  store: Store,
  call: Call,
  path: ExportPath,
): Promise<{ readonly json: Uint8Array; readonly seal: string }> {
  requireRole(call, 'viewer');
  const row = await loadExport(store, call, path);
  if (row.certification !== null)
    throw new AssayError('not_found', 'a certification bundle has a manifest instead of a lineage file', {
      advice: 'get the manifest with GET /v1/projects/{project_id}/exports/{export_id}/files/manifest.json',
    });
  const { blob_prefix, seal } = requireFiles(row);
  return { json: await store.blobs.get(exportFileKey(blob_prefix, lineageFile)), seal };
}

/** Bytes of one read from the blob store. */
const chunk_bytes = 4 * 1024 * 1024;

/** Content of known length that can be read from any offset. */
export interface RangedBytes {
  readonly bytes: number;
  /** Opens the bytes from `from` to `until`, excluding `until`. */
  open(from: number, until: number): Readable;
}

/** Streams the concatenation of file ranges and literal bytes; files are read in chunks as the stream is consumed. */
const readFileRanges = (
  { blobs }: Pick<Store, 'blobs'>,
  prefix: string,
  ranges: Iterable<Uint8Array | FileRange>,
): Readable => Readable.from(readChunks(blobs, prefix, ranges), { objectMode: false });

async function* readChunks(
  blobs: Store['blobs'],
  prefix: string,
  ranges: Iterable<Uint8Array | FileRange>,
): AsyncGenerator<Uint8Array> {
  for (const range of ranges) {
    if (range instanceof Uint8Array) {
      yield range;
      continue;
    }
    const key = exportFileKey(prefix, range.path);
    for (let at = range.from; at < range.until; at += chunk_bytes)
      yield await blobs.range(key, at, Math.min(chunk_bytes, range.until - at));
  }
}
