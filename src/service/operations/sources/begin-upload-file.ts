import { AssayError, newId } from '#core';
import type { PromisedFile } from '#core/api';
import { type Store, sourceRows, uploadFileRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { uploadIdle_ms } from './create-source.ts';
import { openUpload } from './open-upload.ts';
import { checkUploadPath } from './upload-paths.ts';
import { uploadsPath } from './views.ts';

const pointer = '/headers/upload-metadata';

/**
 * Lets a file of an upload come; answers its id. Throws `not_found`, `invalid_request`, `payload_too_large`,
 * `hash_mismatch` where the file was promised otherwise, `conflict` where it is on its way already (naming where it
 * goes on), cannot stand beside another, or the upload is complete.
 */
export async function beginUploadFile(
  store: Store,
  call: Call,
  input: PromisedFile & { readonly source_id: string },
): Promise<string> {
  requireRole(call, 'engineer');
  const { source_id, path, bytes, sha256 } = input;
  checkUploadPath(path, pointer);
  const most = store.source_access.max_upload_bytes;
  if (bytes > most) throw new AssayError('payload_too_large', `a file may have ${most} bytes at most`);
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    // One at a time: two files of one path would be one.
    await openUpload(store, call, source_id, 'update');
    await sourceRows.updateSource(scope, source_id, {
      expires_at: new Date(call.now.getTime() + uploadIdle_ms),
    });
    const known = await uploadFileRows.findUploadFile(scope, source_id, path);
    if (known === null) {
      const clash = await uploadFileRows.findPathClash(scope, source_id, path);
      if (clash !== null) throw new AssayError('conflict', `${path} cannot stand beside the file ${clash}`);
      const id = newId('upl');
      const state = 'receiving' as const;
      const row = { id, source_id, path, bytes, sha256, state, expected: false, created_at: call.now };
      await uploadFileRows.insertUploadFiles(scope, [row]);
      return id;
    }
    if (known.state !== 'promised') throw alreadyThere(known);
    if (known.bytes !== bytes || known.sha256 !== sha256) throw otherwisePromised(path);
    await uploadFileRows.setUploadFileState(scope, known.id, 'receiving');
    return known.id;
  });
}

function alreadyThere({ id, path, state }: uploadFileRows.UploadFileRow): AssayError {
  const whole = state === 'whole';
  return new AssayError('conflict', `${path} is ${whole ? 'whole already' : 'on its way already'}`, {
    advice: whole ? 'nothing to do' : 'go on at upload_url with HEAD and PATCH, or DELETE it there first',
    details: { state, upload_url: `${uploadsPath}/${id}` },
  });
}

function otherwisePromised(path: string): AssayError {
  return new AssayError('hash_mismatch', `${path} was promised with another size or hash`, {
    advice: 'send the file that was promised, or open another upload',
    details: { errors: [{ pointer, message: 'not as promised' }] },
  });
}
