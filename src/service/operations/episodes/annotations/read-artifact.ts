import { AssayError, type JsonObject, sha256 } from '#core';
import type { Annotation } from '#core/api';
import type { annotationRows, Store, StoredPart } from '#store';
import { annotationsPath } from './views.ts';

/**
 * What a layer says of an episode, read from the blobs; null where that is no JSON. Throws `hash_mismatch` where the
 * bytes are not those that were stored, `not_found` where they are gone.
 */
export async function readArtifact(
  { blobs }: Pick<Store, 'blobs'>,
  row: annotationRows.AnnotationRow,
): Promise<Annotation['artifact']> {
  if (row.media_type !== 'application/json') return null;
  const { artifact_offset: offset, artifact_length: length, artifact_hash: hash } = row;
  const bytes = await readStored({ blobs }, row, { offset, length, hash });
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
}

/** A range of an annotation's blob. Throws as `readArtifact`. */
export async function readStored(
  { blobs }: Pick<Store, 'blobs'>,
  row: annotationRows.AnnotationRow,
  { offset, length, hash }: Pick<StoredPart, 'offset' | 'length' | 'hash'>,
): Promise<Uint8Array> {
  const bytes = await blobs.range(row.artifact_blob, offset, length).catch((thrown) => {
    throw thrown instanceof AssayError && thrown.code === 'not_found' ? gone(row) : thrown;
  });
  if (sha256(bytes) !== hash) throw spoiled(row);
  return bytes;
}

const gone = (row: annotationRows.AnnotationRow): AssayError =>
  new AssayError('not_found', `what ${row.layer} says of the episode is not in the blob store any more`, {
    advice: anew(row),
  });

const spoiled = (row: annotationRows.AnnotationRow): AssayError =>
  new AssayError('hash_mismatch', `what is stored of ${row.layer} is not what the layer wrote`, {
    advice: anew(row),
    details: { layer: row.layer, artifact_hash: row.artifact_hash },
  });

const anew = (row: annotationRows.AnnotationRow): string =>
  `have it made again: POST ${annotationsPath(row)}/${row.layer} with {"force": true}`;
