import { type Store, sourceRows, stagedBytes, type uploadFileRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { uploadIdle_ms } from './create-source.ts';
import { openUpload, uploadFile } from './open-upload.ts';

export interface UploadProgress {
  readonly file: uploadFileRows.UploadFileRow;
  /** Bytes that need not be sent again. */
  readonly received: number;
}

/** How much of a file came. Throws `not_found`. */
export async function uploadProgress(
  store: Store,
  call: Call,
  { id }: { readonly id: string },
): Promise<UploadProgress> {
  requireRole(call, 'engineer');
  const file = await uploadFile(store, call, id);
  return { file, received: file.state === 'whole' ? file.bytes : await receivedBytes(store, file) };
}

/** Bytes of a file that came so far, of those that were promised. */
export async function receivedBytes(
  store: Store,
  { id, bytes }: Pick<uploadFileRows.UploadFileRow, 'id' | 'bytes'>,
): Promise<number> {
  return Math.min(await stagedBytes(store, id), bytes);
}

const postponedBy_ms = 60 * 60 * 1000;

/** Before bytes of a file are taken: an upload that goes on does not expire. Throws `not_found`, `conflict`. */
export async function goOnWithUpload(
  store: Store,
  call: Call,
  { id }: { readonly id: string },
): Promise<void> {
  requireRole(call, 'engineer');
  const { source_id } = await uploadFile(store, call, id);
  const until = new Date(call.now.getTime() + uploadIdle_ms);
  await store.database.transaction(async () => {
    const source = await openUpload(store, call, source_id, 'share');
    if (until.getTime() - (source.expires_at?.getTime() ?? 0) < postponedBy_ms) return;
    await sourceRows.updateSource(scopeOf(store, call), source_id, { expires_at: until });
  });
}
