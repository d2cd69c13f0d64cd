import { AssayError } from '#core';
import type { Source, SourceFile } from '#core/api';
import type { sourceRows, uploadFileRows } from '#store';

/** API path of the tus protocol. */
export const uploadsPath = '/v1/uploads';

/** Converts a source row to the API view. */
export function sourceOf(row: sourceRows.SourceRow): Source {
  return {
    id: row.id,
    project_id: row.project_id,
    name: row.name,
    state: row.state,
    location: locationOf(row),
    files: row.files,
    bytes: row.bytes,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
  };
}

function locationOf({ location, expires_at }: sourceRows.SourceRow): Source['location'] {
  switch (location.kind) {
    case 'folder':
      return { kind: 'folder', path: location.path };
    case 's3':
      return { kind: 's3', bucket: location.bucket, prefix: location.prefix };
    // The contract has no kind of its own for addresses.
    case 'web':
      return { kind: 'folder', path: location.address };
    case 'upload':
      return { kind: 'upload', upload_url: uploadsPath, expires_at: expires_at?.toISOString() ?? null };
  }
}

/** Converts an upload file row to the API view. */
export function sourceFileOf(row: uploadFileRows.UploadFileRow): SourceFile {
  const { path, bytes, sha256, state } = row;
  return {
    path,
    bytes,
    sha256,
    state,
    upload_url: state === 'receiving' ? `${uploadsPath}/${row.id}` : null,
  };
}

/** Returns the error `not_found`, the same whether the source is missing or belongs to another tenant. */
export const noSource = (): AssayError =>
  new AssayError('not_found', 'source not found', {
    advice: 'list the sources with GET /v1/projects/{project_id}/sources',
  });
