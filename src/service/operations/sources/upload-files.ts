import { AssayError, newId } from '#core';
import type { PromisedFile, Source } from '#core/api';
import {
  hashStaged,
  removeStaged,
  type Store,
  sourceRows,
  stagedBytes,
  stagedPath,
  uploadFileRows,
} from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { uploadIdle_ms } from './create-source.ts';
import { checkUploadPath, uploadFolder } from './upload-paths.ts';
import { noSource, sourceOf, uploadsPath } from './views.ts';

const metadataPointer = '/headers/upload-metadata';

/**
 * Begins a file of an upload, extends the expiry of the upload and returns the id of the file. Throws `not_found`,
 * `invalid_request`, `payload_too_large`, `hash_mismatch` if the file was announced with another size or hash, `conflict` if
 * it was begun before (naming where to resume), clashes with the path of another file, or the upload is complete.
 */
export async function beginUploadFile(
  store: Store,
  call: Call,
  input: PromisedFile & { readonly source_id: string },
): Promise<string> {
  requireRole(call, 'engineer');
  const { source_id, path, bytes, sha256 } = input;
  checkUploadPath(path, metadataPointer);
  const max_bytes = store.source_access.max_upload_bytes;
  if (bytes > max_bytes)
    throw new AssayError('payload_too_large', `files must not exceed ${max_bytes} bytes`);
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    // Locked, because two files with the same path would be one.
    await lockOpenUpload(store, call, source_id, 'update');
    await sourceRows.updateSource(scope, source_id, {
      expires_at: new Date(call.now.getTime() + uploadIdle_ms),
    });
    const existing = await uploadFileRows.findUploadFile(scope, source_id, path);
    if (existing === null) {
      const clash = await uploadFileRows.findPathClash(scope, source_id, path);
      if (clash !== null) throw new AssayError('conflict', `${path} conflicts with the file ${clash}`);
      const id = newId('upl');
      const state = 'receiving' as const;
      const row = { id, source_id, path, bytes, sha256, state, expected: false, created_at: call.now };
      await uploadFileRows.insertUploadFiles(scope, [row]);
      return id;
    }
    if (existing.state !== 'promised') throw fileAlreadySent(existing);
    if (existing.bytes !== bytes || existing.sha256 !== sha256) throw promiseMismatch(path);
    await uploadFileRows.setUploadFileState(scope, existing.id, 'receiving');
    return existing.id;
  });
}

function fileAlreadySent({ id, path, state }: uploadFileRows.UploadFileRow): AssayError {
  const whole = state === 'whole';
  return new AssayError('conflict', `${path} is already ${whole ? 'complete' : 'being uploaded'}`, {
    advice: whole ? 'no action needed' : 'resume at upload_url with HEAD and PATCH, or DELETE it there first',
    details: { state, upload_url: `${uploadsPath}/${id}` },
  });
}

function promiseMismatch(path: string): AssayError {
  return new AssayError('hash_mismatch', `${path} was declared with a different size or hash`, {
    advice: 'send the declared file, or open a new upload',
    details: {
      errors: [{ pointer: metadataPointer, message: 'size or hash differs from the declared one' }],
    },
  });
}

/** A file of an upload with the bytes received so far. */
export interface UploadProgress {
  readonly file: uploadFileRows.UploadFileRow;
  /** Bytes received so far. */
  readonly received: number;
}

/** Returns a file of an upload with the bytes received so far. Throws `not_found`. */
export async function getUploadProgress(
  store: Store,
  call: Call,
  { id }: { readonly id: string },
): Promise<UploadProgress> {
  requireRole(call, 'engineer');
  const file = await getUploadFile(store, call, id);
  return { file, received: file.state === 'whole' ? file.bytes : await countReceivedBytes(store, file) };
}

/** Returns the received bytes of a file; at most its announced size. */
async function countReceivedBytes(
  store: Store,
  { id, bytes }: Pick<uploadFileRows.UploadFileRow, 'id' | 'bytes'>,
): Promise<number> {
  return Math.min(await stagedBytes(store, id), bytes);
}

const minExtension_ms = 60 * 60 * 1000;

/**
 * Extends the expiry of an open upload before bytes are accepted; written at most once an hour. Throws `not_found`,
 * `conflict`.
 */
export async function extendUpload(store: Store, call: Call, { id }: { readonly id: string }): Promise<void> {
  requireRole(call, 'engineer');
  const { source_id } = await getUploadFile(store, call, id);
  const until = new Date(call.now.getTime() + uploadIdle_ms);
  await store.database.transaction(async () => {
    const source = await lockOpenUpload(store, call, source_id, 'share');
    if (until.getTime() - (source.expires_at?.getTime() ?? 0) < minExtension_ms) return;
    await sourceRows.updateSource(scopeOf(store, call), source_id, { expires_at: until });
  });
}

/** Files that this process is finishing; repeated requests share the work. */
const finishingFiles = new Map<string, Promise<void>>();

/**
 * Verifies the hash of a fully received file and moves it to the blob store. A finished file is left as it is. Throws
 * `not_found`, `hash_mismatch` (the received bytes are deleted), `conflict`, `storage_unavailable`.
 */
export async function finishUploadFile(
  store: Store,
  call: Call,
  { id }: { readonly id: string },
): Promise<void> {
  requireRole(call, 'engineer');
  let work = finishingFiles.get(id);
  if (work === undefined) {
    work = finishFile(store, call, id).finally(() => finishingFiles.delete(id));
    finishingFiles.set(id, work);
  }
  await work;
}

/**
 * Finishes fully received files that were left unfinished because the process ended or the blob store was
 * unavailable.
 */
async function finishStaged(store: Store, call: Call, source_id: string): Promise<void> {
  for (const file of await uploadFileRows.listReceiving(scopeOf(store, call), source_id)) {
    if (file.bytes > 0 && (await countReceivedBytes(store, file)) < file.bytes) continue;
    await finishUploadFile(store, call, file);
  }
}

async function finishFile(store: Store, call: Call, id: string): Promise<void> {
  const file = await getUploadFile(store, call, id);
  if (file.state === 'whole') return;
  const found = await hashStaged(store, id);
  if (found !== file.sha256) throw await rejectFile(store, call, file, found);
  const key = `${uploadFolder(call.actor.tenant_id, file.source_id)}/${file.path}`;
  await store.blobs.putFile(key, stagedPath(store, id));
  try {
    await store.database.transaction(async () => {
      await lockOpenUpload(store, call, file.source_id, 'share');
      await uploadFileRows.setUploadFileState(scopeOf(store, call), id, 'whole');
    });
  } catch (thrown) {
    // The upload was completed or deleted meanwhile, so no row names this blob.
    if (thrown instanceof AssayError && (thrown.code === 'conflict' || thrown.code === 'not_found'))
      await store.blobs.delete([key]);
    throw thrown;
  }
}

async function rejectFile(
  store: Store,
  call: Call,
  { id, path, sha256, expected }: uploadFileRows.UploadFileRow,
  found: string,
): Promise<AssayError> {
  const scope = scopeOf(store, call);
  if (expected) await uploadFileRows.setUploadFileState(scope, id, 'promised');
  else await uploadFileRows.deleteUploadFile(scope, id);
  await removeStaged(store, [id]);
  return new AssayError(
    'hash_mismatch',
    `${path} does not match its declared hash; the received data was discarded`,
    {
      advice: 'compute the hash again and send the file again; it changed during or before the transfer',
      details: { path, sha256_promised: sha256, sha256_received: found },
    },
  );
}

/**
 * Removes a file and its bytes from an open upload; a file that was announced can then be sent again. Throws `not_found`,
 * `conflict`, `storage_unavailable`.
 */
export async function removeUploadFile(
  store: Store,
  call: Call,
  { id }: { readonly id: string },
): Promise<void> {
  requireRole(call, 'engineer');
  const { source_id, path, state, expected } = await getUploadFile(store, call, id);
  await store.database.transaction(async () => {
    await lockOpenUpload(store, call, source_id, 'update');
    const scope = scopeOf(store, call);
    if (expected) await uploadFileRows.setUploadFileState(scope, id, 'promised');
    else await uploadFileRows.deleteUploadFile(scope, id);
  });
  await removeStaged(store, [id]);
  if (state === 'whole')
    await store.blobs.delete([`${uploadFolder(call.actor.tenant_id, source_id)}/${path}`]);
}

/** Missing files that an error names. */
const maxListedFiles = 100;

/**
 * Completes an upload, audits this and returns the source: it can then be run and takes no more files. Completing it again
 * returns the same. Throws `not_found`, `not_ready` naming the unfinished files, `conflict` for a source that is no upload.
 */
export async function completeSource(
  store: Store,
  call: Call,
  { source_id }: { readonly source_id: string },
): Promise<Source> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  await finishStaged(store, call, source_id);
  return store.database.transaction(async () => {
    const row = await sourceRows.getSource(scope, source_id, 'update');
    if (row === null) throw noSource();
    if (row.location.kind !== 'upload' || row.state === 'gone') throw notAnUpload();
    if (row.state === 'ready') return sourceOf(row);
    const totals = await uploadFileRows.countUploadFiles(scope, source_id);
    if (totals.files === 0 || totals.unfinished > 0)
      throw await filesMissing(scope, source_id, totals.unfinished);
    const change = { state: 'ready', files: totals.files, bytes: totals.bytes, expires_at: null } as const;
    await sourceRows.updateSource(scope, source_id, change);
    const completed = sourceOf({ ...row, ...change });
    await appendAudit(store, call, {
      action: 'complete_source',
      object_type: 'source',
      object_id: source_id,
      before: sourceOf(row),
      after: completed,
      detail: { files: totals.files, bytes: totals.bytes },
    });
    return completed;
  });
}

function notAnUpload(): AssayError {
  return new AssayError('conflict', 'the source is not an open upload', {
    advice: 'folders and S3 prefixes are ready as soon as they are registered; only uploads are completed',
  });
}

async function filesMissing(
  scope: ReturnType<typeof scopeOf>,
  source_id: string,
  unfinished: number,
): Promise<AssayError> {
  if (unfinished === 0) {
    return new AssayError('not_ready', 'the upload has no files yet', {
      advice: 'send files to /v1/uploads, then complete it',
      details: { missing_total: 0, missing: [] },
    });
  }
  const rows = await uploadFileRows.listUploadFiles(scope, {
    source_id,
    after: null,
    limit: maxListedFiles,
    unfinished: true,
  });
  const missing = rows.map(({ path, state }) => ({ path, state }));
  const paths = missing.slice(0, 3).map(({ path }) => path);
  const more = unfinished > paths.length ? ` and ${unfinished - paths.length} more` : '';
  return new AssayError('not_ready', `incomplete upload: ${paths.join(', ')}${more}`, {
    advice: 'upload the missing data, then complete the upload',
    details: { missing_total: unfinished, missing },
  });
}

/**
 * Returns the row of an open upload, locked until the transaction ends. Throws `not_found`, `conflict` for a source
 * that is no upload or is complete.
 */
async function lockOpenUpload(
  store: Store,
  call: Call,
  source_id: string,
  lock: 'share' | 'update',
): Promise<sourceRows.SourceRow> {
  const row = await sourceRows.getSource(scopeOf(store, call), source_id, lock);
  if (row === null) throw noSource();
  if (row.location.kind === 'upload' && row.state === 'open') return row;
  throw new AssayError('conflict', 'the source does not accept files', {
    advice: 'open an upload with POST /v1/projects/{project_id}/sources and the kind upload',
  });
}

/**
 * Returns a file of an upload that has been begun. Throws the same `not_found` whether it is missing or belongs to
 * another tenant.
 */
async function getUploadFile(store: Store, call: Call, id: string): Promise<uploadFileRows.UploadFileRow> {
  const row = await uploadFileRows.getUploadFile(scopeOf(store, call), id);
  if (row === null || row.state === 'promised') {
    throw new AssayError('not_found', 'upload not found', {
      advice: 'get the upload URL of each file with GET /v1/sources/{source_id}/files',
    });
  }
  return row;
}
