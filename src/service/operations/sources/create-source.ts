import { basename } from 'node:path';
import { AssayError, limits, newId } from '#core';
import type { CreateSource, Source } from '#core/api';
import {
  deleteListings,
  listWebSource,
  requireAllowedAddress,
  requireAllowedFolder,
  requireAllowedPrefix,
} from '#engine';
import { probePrefix } from '#io/sources/s3';
import { projectRows, type SourceLocation, type Store, sourceRows, uploadFileRows } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { checkPathsAgree, checkUploadPath, uploadFolder } from './upload-paths.ts';
import { sourceOf } from './views.ts';

/** Time in ms after which an idle, incomplete upload is deleted. */
export const uploadIdle_ms: number = limits.uploads.idle_ms.value;

/**
 * Registers a folder, an address or an S3 prefix as a source, or opens an upload; audits and returns the source. The files of
 * an address are listed first. Throws `not_found` for the project, `source_not_allowed`, `invalid_request`, `limit_exceeded`,
 * `storage_unavailable`, `busy`.
 */
export async function createSource(
  store: Store,
  call: Call,
  input: CreateSource & { readonly project_id: string },
): Promise<Source> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, input.project_id)) === null) throw noProject();
  const id = newId('src');
  const resolved = await resolveLocation(store, call, input, id);
  const row: Omit<sourceRows.SourceRow, 'tenant_id'> = {
    id,
    project_id: input.project_id,
    name: input.name ?? resolved.name,
    location: resolved.location,
    state: input.kind === 'upload' ? 'open' : 'ready',
    files: resolved.files ?? null,
    bytes: resolved.bytes ?? null,
    expires_at: input.kind === 'upload' ? new Date(call.now.getTime() + uploadIdle_ms) : null,
    created_at: call.now,
    created_by: actorId(call),
  };
  try {
    return await store.database.transaction(() => insertSource(store, call, row, input));
  } catch (thrown) {
    if (row.location.kind === 'web') await deleteListings(store, { tenant_id: scope.tenant_id, id });
    throw thrown;
  }
}

/** Inserts and audits a source, in a transaction, and returns it. Throws `not_found` for the project. */
async function insertSource(
  store: Store,
  call: Call,
  row: Omit<sourceRows.SourceRow, 'tenant_id'>,
  input: CreateSource,
): Promise<Source> {
  const scope = scopeOf(store, call);
  const { id, project_id, name } = row;
  // Share lock, so that the project cannot be deleted before the commit.
  if ((await projectRows.getProject(scope, project_id, 'share')) === null) throw noProject();
  await sourceRows.insertSource(scope, row);
  if (input.kind === 'upload') await insertPromisedFiles(scope, call, id, input.files);
  const source = sourceOf({ ...row, tenant_id: scope.tenant_id });
  await appendAudit(store, call, {
    action: 'create_source',
    object_type: 'source',
    object_id: id,
    before: null,
    after: source,
    detail: { project_id, name, kind: input.kind },
  });
  return source;
}

interface ResolvedLocation {
  readonly location: SourceLocation;
  /** Default name of the source. */
  readonly name: string;
  /** Number of files and their total size, if they were listed. */
  readonly files?: number;
  readonly bytes?: number;
}

async function resolveLocation(
  store: Store,
  call: Call,
  input: CreateSource,
  id: string,
): Promise<ResolvedLocation> {
  switch (input.kind) {
    case 'folder':
      return resolvePath(store, call, input.path, id);
    case 's3':
      return resolvePrefix(store, call, input);
    case 'upload':
      checkPromisedFiles(input.files);
      return { location: { kind: 'upload', key: uploadFolder(call.actor.tenant_id, id) }, name: input.name };
  }
}

/**
 * Returns the location of a path, or of an address in place of one: `hf://`, `https://`, `s3://`. Throws `source_not_allowed`,
 * `invalid_request`.
 */
async function resolvePath(store: Store, call: Call, path: string, id: string): Promise<ResolvedLocation> {
  const allowed = store.source_access;
  const text = path.trim();
  const bucket = /^s3:\/\/([^/]*)\/?(.*)$/i.exec(text);
  try {
    if (bucket !== null) return await resolvePrefix(store, call, { bucket: bucket[1], prefix: bucket[2] });
    const address = requireAllowedAddress(allowed.web, text);
    if (address !== null) return await resolveAddress(store, call, address, id);
  } catch (thrown) {
    throw atPath(thrown);
  }
  const folder = await requireAllowedFolder(allowed, path);
  return { location: { kind: 'folder', path: folder }, name: toSourceName(basename(folder)) };
}

async function resolveAddress(
  store: Store,
  call: Call,
  address: string,
  id: string,
): Promise<ResolvedLocation> {
  const { revision, files, bytes } = await listWebSource(
    store,
    { tenant_id: call.actor.tenant_id, id },
    address,
  );
  const name = toSourceName(basename(decodeURIComponent(new URL(address).pathname)));
  return { location: { kind: 'web', address, listed: revision, read: null }, name, files, bytes };
}

async function resolvePrefix(
  store: Store,
  call: Call,
  input: { readonly bucket: string; readonly prefix: string },
): Promise<ResolvedLocation> {
  const allowed = store.source_access;
  const { bucket } = input;
  const prefix = requireAllowedPrefix(allowed, store.blobs.locate(call.actor.tenant_id), input);
  if (!(await probePrefix(allowed.s3, bucket, prefix))) throw emptyPrefix(bucket, prefix);
  return { location: { kind: 's3', bucket, prefix }, name: toSourceName(basename(prefix) || bucket) };
}

/**
 * Returns the error with the addition that it is about the path, so that forms show it there; returns other values as they
 * are.
 */
function atPath(thrown: unknown): unknown {
  if (!(thrown instanceof AssayError)) return thrown;
  const { code, message, advice, details } = thrown;
  return new AssayError(code, message, {
    cause: thrown,
    ...(advice === null ? {} : { advice }),
    details: { ...details, errors: [{ pointer: '/body/path', message }] },
  });
}

function checkPromisedFiles(files: Extract<CreateSource, { kind: 'upload' }>['files']): void {
  const seenPaths = new Set<string>();
  for (const [at, { path }] of files.entries()) {
    checkUploadPath(path, `/body/files/${at}/path`);
    if (!seenPaths.has(path)) seenPaths.add(path);
    else {
      const errors = [{ pointer: `/body/files/${at}/path`, message: 'duplicate path' }];
      throw new AssayError('invalid_request', `duplicate path ${path}`, { details: { errors } });
    }
  }
  checkPathsAgree([...seenPaths], '/body/files');
}

async function insertPromisedFiles(
  scope: ReturnType<typeof scopeOf>,
  call: Call,
  source_id: string,
  files: Extract<CreateSource, { kind: 'upload' }>['files'],
): Promise<void> {
  const rows = files.map(({ path, bytes, sha256 }) => ({
    ...{ id: newId('upl'), source_id, path, bytes, sha256 },
    state: 'promised' as const,
    expected: true,
    created_at: call.now,
  }));
  await uploadFileRows.insertUploadFiles(scope, rows);
}

/**
 * Returns a text as a source name: without control characters, at most 200 characters, `recordings` if nothing
 * remains.
 */
function toSourceName(text: string): string {
  const cleaned = text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200);
  return cleaned === '' ? 'recordings' : cleaned;
}

function emptyPrefix(bucket: string, prefix: string): AssayError {
  const message = `no objects under the prefix ${prefix} in the bucket ${bucket}`;
  return new AssayError('invalid_request', message, {
    advice: 'correct the prefix: the first part of the object keys, without the bucket name',
    details: { errors: [{ pointer: '/body/prefix', message }] },
  });
}
