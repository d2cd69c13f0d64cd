import { AssayError, type JsonObject, sha256 } from '#core';
import type { Annotation, EpisodeAnnotation } from '#core/api';
import { annotationRows, episodeRows, type Store, type StoredPart, type TenantScope } from '#store';
import { annotationFacts, annotationsPath, type EpisodeLayer, editOf } from './views.ts';

/** What is there of a layer on an episode; both null where nothing is. Throws `not_found` for no episode of the project. */
export async function loadAnnotation(
  store: Store,
  scope: TenantScope,
  of: EpisodeLayer,
): Promise<EpisodeAnnotation> {
  const { episode_id, layer } = of;
  await demandEpisode(scope, of);
  const row = await annotationRows.getAnnotation(scope, episode_id, layer);
  const edit = await annotationRows.latestEdit(scope, episode_id, layer);
  return {
    episode_id,
    layer,
    machine: row === null ? null : { ...annotationFacts(row), artifact: await readArtifact(store, row) },
    edit: edit === null ? null : editOf(edit),
  };
}

/** Throws `not_found` where the project has no such episode. */
export async function demandEpisode(
  scope: TenantScope,
  of: Pick<EpisodeLayer, 'project_id' | 'episode_id'>,
): Promise<void> {
  if (!(await episodeRows.isOfProject(scope, of))) throw notOfProject();
}

/** For an absent episode, another project's and another tenant's alike. */
export const notOfProject = (): AssayError =>
  new AssayError('not_found', 'there is no episode of this id in the project', {
    advice: 'GET /v1/projects/{project_id}/episodes lists them',
  });

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
