import { AssayError } from '#core';
import type { RecordingsRef } from '#io/sources';
import type { Store, sourceRows } from '#store';
import { allowedFolder } from './allowed-folder.ts';
import { allowedPrefix } from './allowed-prefix.ts';

/**
 * Where a source's recordings can be opened now. What is allowed is looked at again: roots change, and so do links.
 * Throws `not_ready` for an upload under way, `not_found` for a source that is gone, `source_not_allowed`.
 */
export async function recordingsOf(
  store: Pick<Store, 'blobs' | 'source_access'>,
  { location, state, tenant_id }: Pick<sourceRows.SourceRow, 'location' | 'state' | 'tenant_id'>,
): Promise<RecordingsRef> {
  if (state === 'gone') throw new AssayError('not_found', 'the source was taken out');
  if (state === 'open') {
    throw new AssayError('not_ready', 'the upload is not complete', {
      advice: 'send the missing files, then POST /v1/sources/{source_id}/complete',
    });
  }
  const { source_access: allowed, blobs } = store;
  const { cache_folder, cache_bytes } = allowed;
  switch (location.kind) {
    case 'folder':
      return { kind: 'folder', path: await allowedFolder(allowed, location.path) };
    case 's3': {
      const { bucket } = location;
      const prefix = allowedPrefix(allowed, blobs.locate(tenant_id), location);
      return { kind: 's3', connection: allowed.s3, bucket, prefix, cache_folder, cache_bytes };
    }
    case 'upload': {
      const place = blobs.locate(location.key);
      return place.kind === 'folder' ? place : { ...place, cache_folder, cache_bytes };
    }
  }
}
