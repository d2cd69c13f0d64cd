import { AssayError } from '#core';
import { hashStaged, removeStaged, type Store, stagedPath, uploadFileRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { openUpload, uploadFile } from './open-upload.ts';
import { uploadFolder } from './upload-paths.ts';
import { receivedBytes } from './upload-progress.ts';

/** Files being finished by this process: a client may ask twice. */
const finishing = new Map<string, Promise<void>>();

/**
 * Checks a file of which every byte came, and moves it among the blobs. Asked again, or of a file already whole, it does
 * nothing. Throws `not_found`, `hash_mismatch` (the bytes are thrown away), `conflict`, `storage_unavailable`.
 */
export async function finishUploadFile(
  store: Store,
  call: Call,
  { id }: { readonly id: string },
): Promise<void> {
  requireRole(call, 'engineer');
  let work = finishing.get(id);
  if (work === undefined) {
    work = finish(store, call, id).finally(() => finishing.delete(id));
    finishing.set(id, work);
  }
  await work;
}

/** Finishes what came whole and was left so, because the process ended or the blob store was away just then. */
export async function finishStaged(store: Store, call: Call, source_id: string): Promise<void> {
  for (const file of await uploadFileRows.listReceiving(scopeOf(store, call), source_id)) {
    if (file.bytes > 0 && (await receivedBytes(store, file)) < file.bytes) continue;
    await finishUploadFile(store, call, file);
  }
}

async function finish(store: Store, call: Call, id: string): Promise<void> {
  const file = await uploadFile(store, call, id);
  if (file.state === 'whole') return;
  const found = await hashStaged(store, id);
  if (found !== file.sha256) throw await refuse(store, call, file, found);
  const key = `${uploadFolder(call.actor.tenant_id, file.source_id)}/${file.path}`;
  await store.blobs.putFile(key, stagedPath(store, id));
  try {
    await store.database.transaction(async () => {
      await openUpload(store, call, file.source_id, 'share');
      await uploadFileRows.setUploadFileState(scopeOf(store, call), id, 'whole');
    });
  } catch (thrown) {
    // Completed or deleted meanwhile: nobody names this blob.
    if (thrown instanceof AssayError && (thrown.code === 'conflict' || thrown.code === 'not_found'))
      await store.blobs.delete([key]);
    throw thrown;
  }
}

async function refuse(
  store: Store,
  call: Call,
  { id, path, sha256, expected }: uploadFileRows.UploadFileRow,
  found: string,
): Promise<AssayError> {
  const scope = scopeOf(store, call);
  if (expected) await uploadFileRows.setUploadFileState(scope, id, 'promised');
  else await uploadFileRows.deleteUploadFile(scope, id);
  await removeStaged(store, [id]);
  return new AssayError('hash_mismatch', `${path} is not what was promised; what came was thrown away`, {
    advice: 'hash the file again and send it again; it changed on its way or while it was sent',
    details: { path, sha256_promised: sha256, sha256_received: found },
  });
}
