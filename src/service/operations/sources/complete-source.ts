import { AssayError } from '#core';
import type { Source } from '#core/api';
import { type Store, sourceRows, uploadFileRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { finishStaged } from './finish-upload-file.ts';
import { noSource, sourceOf } from './views.ts';

/** Missing files that an answer names at most. */
const named = 100;

/**
 * Ends an upload: from now on it can be run on and takes no more files. Completing it again answers the same. Throws
 * `not_found`, `not_ready` naming the files that are not whole, `conflict` for what is no upload.
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
    if (row.location.kind !== 'upload' || row.state === 'gone') throw noUpload();
    if (row.state === 'ready') return sourceOf(row);
    const totals = await uploadFileRows.countUploadFiles(scope, source_id);
    if (totals.files === 0 || totals.unfinished > 0)
      throw await notReady(scope, source_id, totals.unfinished);
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

function noUpload(): AssayError {
  return new AssayError('conflict', 'the source is no upload that could be completed', {
    advice: 'folders and S3 prefixes are ready as soon as they are registered',
  });
}

async function notReady(
  scope: ReturnType<typeof scopeOf>,
  source_id: string,
  unfinished: number,
): Promise<AssayError> {
  if (unfinished === 0) {
    return new AssayError('not_ready', 'the upload has no file yet', {
      advice: 'send files to /v1/uploads, then complete it',
      details: { missing_total: 0, missing: [] },
    });
  }
  const rows = await uploadFileRows.listUploadFiles(scope, {
    source_id,
    after: null,
    limit: named,
    unfinished: true,
  });
  const missing = rows.map(({ path, state }) => ({ path, state }));
  const paths = missing.slice(0, 3).map(({ path }) => path);
  const more = unfinished > paths.length ? ` and ${unfinished - paths.length} more` : '';
  return new AssayError('not_ready', `not whole yet: ${paths.join(', ')}${more}`, {
    advice: 'send what is missing, then complete the upload',
    details: { missing_total: unfinished, missing },
  });
}
