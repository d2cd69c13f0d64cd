import { AssayError } from '#core';
import { type Store, sourceRows, uploadFileRows } from '#store';
import { type Call, scopeOf } from '../call.ts';
import { noSource } from './views.ts';

/**
 * The row of an upload that still takes files, held until the transaction ends. Throws `not_found`, and `conflict` for
 * what is no upload or complete.
 */
export async function openUpload(
  store: Store,
  call: Call,
  source_id: string,
  lock: 'share' | 'update',
): Promise<sourceRows.SourceRow> {
  const row = await sourceRows.getSource(scopeOf(store, call), source_id, lock);
  if (row === null) throw noSource();
  if (row.location.kind === 'upload' && row.state === 'open') return row;
  throw new AssayError('conflict', 'the source takes no files', {
    advice: 'POST /v1/projects/{project_id}/sources with the kind upload opens an upload',
  });
}

/** A file of an upload. Throws `not_found`, for an absent one and another tenant's alike. */
export async function uploadFile(
  store: Store,
  call: Call,
  id: string,
): Promise<uploadFileRows.UploadFileRow> {
  const row = await uploadFileRows.getUploadFile(scopeOf(store, call), id);
  if (row === null || row.state === 'promised') {
    throw new AssayError('not_found', 'there is no upload of this id', {
      advice: 'GET /v1/sources/{source_id}/files tells where each file goes on',
    });
  }
  return row;
}
