import { removeStaged, type Store, uploadFileRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { openUpload, uploadFile } from './open-upload.ts';
import { uploadFolder } from './upload-paths.ts';

/** Takes a file out of an upload that is not complete. Throws `not_found`, `conflict`, `storage_unavailable`. */
export async function removeUploadFile(
  store: Store,
  call: Call,
  { id }: { readonly id: string },
): Promise<void> {
  requireRole(call, 'engineer');
  const { source_id, path, state, expected } = await uploadFile(store, call, id);
  await store.database.transaction(async () => {
    await openUpload(store, call, source_id, 'update');
    const scope = scopeOf(store, call);
    if (expected) await uploadFileRows.setUploadFileState(scope, id, 'promised');
    else await uploadFileRows.deleteUploadFile(scope, id);
  });
  await removeStaged(store, [id]);
  if (state === 'whole')
    await store.blobs.delete([`${uploadFolder(call.actor.tenant_id, source_id)}/${path}`]);
}
