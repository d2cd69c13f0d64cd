import { basename } from 'node:path';
import { AssayError, limits, newId } from '#core';
import type { CreateSource, Source } from '#core/api';
import { allowedFolder, allowedPrefix } from '#engine';
import { probePrefix } from '#io/sources/s3';
import { projectRows, type SourceLocation, type Store, sourceRows, uploadFileRows } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { checkPathsAgree, checkUploadPath, uploadFolder } from './upload-paths.ts';
import { sourceOf } from './views.ts';

/** Idle days after which an upload that was not completed is thrown away. */
export const uploadIdle_ms: number = limits.uploads.idle_ms.value;

/**
 * Registers where recordings lie, or opens an upload. Throws `not_found` for the project, `source_not_allowed`,
 * `invalid_request`, `storage_unavailable`.
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
  const { location, name } = await locate(store, call, input, id);
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
    // Shared, so that the project cannot be deleted between here and the commit.
    if ((await projectRows.getProject(scope, input.project_id, 'share')) === null) throw noProject();
    await sourceRows.insertSource(scope, row);
    if (input.kind === 'upload') await promise(scope, call, id, input.files);
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

interface Located {
  readonly location: SourceLocation;
  /** Where the request gives none. */
  readonly name: string;
}

async function locate(store: Store, call: Call, input: CreateSource, id: string): Promise<Located> {
  const allowed = store.source_access;
  switch (input.kind) {
    case 'folder': {
      const path = await allowedFolder(allowed, input.path);
      return { location: { kind: 'folder', path }, name: nameFrom(basename(path)) };
    }
    case 's3': {
      const own = store.blobs.locate(call.actor.tenant_id);
      const prefix = allowedPrefix(allowed, own, input);
      if (!(await probePrefix(allowed.s3, input.bucket, prefix))) throw emptyPrefix(input.bucket, prefix);
      const place = { kind: 's3', bucket: input.bucket, prefix } as const;
      return { location: place, name: nameFrom(basename(prefix) || input.bucket) };
    }
    case 'upload':
      checkPromises(input.files);
      return { location: { kind: 'upload', key: uploadFolder(call.actor.tenant_id, id) }, name: input.name };
  }
}

function checkPromises(files: Extract<CreateSource, { kind: 'upload' }>['files']): void {
  const seen = new Set<string>();
  for (const [at, { path }] of files.entries()) {
    checkUploadPath(path, `/body/files/${at}/path`);
    if (!seen.has(path)) seen.add(path);
    else {
      const errors = [{ pointer: `/body/files/${at}/path`, message: 'named twice' }];
      throw new AssayError('invalid_request', `the path ${path} is named twice`, { details: { errors } });
    }
  }
  checkPathsAgree([...seen], '/body/files');
}

async function promise(
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

/** Letters that a name may not have are left out. */
function nameFrom(text: string): string {
  const kept = text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200);
  return kept === '' ? 'recordings' : kept;
}

function emptyPrefix(bucket: string, prefix: string): AssayError {
  const message = `there is no object whose key starts with ${prefix} in the bucket ${bucket}`;
  return new AssayError('invalid_request', message, {
    advice: 'correct the prefix; it is the first part of the keys, without the bucket',
    details: { errors: [{ pointer: '/body/prefix', message }] },
  });
}
