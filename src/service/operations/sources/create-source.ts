import { basename } from 'node:path';
import { AssayError, limits, newId } from '#core';
import type { CreateSource, Source } from '#core/api';
import { requireAllowedFolder, requireAllowedPrefix } from '#engine';
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
 * Registers a folder or S3 prefix as a source, or opens an upload. Throws `not_found` for the project,
 * `source_not_allowed`, `invalid_request`, `storage_unavailable`.
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
  const { location, name } = await resolveLocation(store, call, input, id);
  const row: Omit<sourceRows.SourceRow, 'tenant_id'> = {
    id,
    project_id: input.project_id,
    name: input.name ?? name,
    location,
    state: input.kind === 'upload' ? 'open' : 'ready',
    files: null,
    bytes: null,
    expires_at: input.kind === 'upload' ? new Date(call.now.getTime() + uploadIdle_ms) : null,
    created_at: call.now,
    created_by: actorId(call),
  };
  return store.database.transaction(async () => {
    // Share lock, so that the project cannot be deleted before the commit.
    if ((await projectRows.getProject(scope, input.project_id, 'share')) === null) throw noProject();
    await sourceRows.insertSource(scope, row);
    if (input.kind === 'upload') await insertPromisedFiles(scope, call, id, input.files);
    const source = sourceOf({ ...row, tenant_id: scope.tenant_id });
    await appendAudit(store, call, {
      action: 'create_source',
      object_type: 'source',
      object_id: id,
      before: null,
      after: source,
      detail: { project_id: input.project_id, name: row.name, kind: input.kind },
    });
    return source;
  });
}

interface ResolvedLocation {
  readonly location: SourceLocation;
  /** Default name of the source. */
  readonly name: string;
}

async function resolveLocation(
  store: Store,
  call: Call,
  input: CreateSource,
  id: string,
): Promise<ResolvedLocation> {
  const allowed = store.source_access;
  switch (input.kind) {
    case 'folder': {
      const path = await requireAllowedFolder(allowed, input.path);
      return { location: { kind: 'folder', path }, name: toSourceName(basename(path)) };
    }
    case 's3': {
      const tenantLocation = store.blobs.locate(call.actor.tenant_id);
      const prefix = requireAllowedPrefix(allowed, tenantLocation, input);
      if (!(await probePrefix(allowed.s3, input.bucket, prefix))) throw emptyPrefix(input.bucket, prefix);
      const s3Location = { kind: 's3', bucket: input.bucket, prefix } as const;
      return { location: s3Location, name: toSourceName(basename(prefix) || input.bucket) };
    }
    case 'upload':
      checkPromisedFiles(input.files);
      return { location: { kind: 'upload', key: uploadFolder(call.actor.tenant_id, id) }, name: input.name };
  }
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
