import { AssayError, type JsonObject, sha256 } from '#core';
import {
  type Annotation,
  type EpisodeAnnotation,
  type EpisodeAnnotationSummary,
  jobLayerIds,
} from '#core/api';
import { jobLayerOf, mainPart } from '#labels/annotation';
import { annotationRows, episodeRows, type Store, type StoredPart, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import type { Page } from '../page.ts';

/**
 * Returns a layer's annotation of an episode and the newest edit by a person. Throws `not_found` with advice on how
 * to produce the layer.
 */
export async function getEpisodeAnnotation(
  store: Store,
  call: Call,
  of: EpisodeLayer,
): Promise<EpisodeAnnotation> {
  requireRole(call, 'viewer');
  const found = await loadAnnotation(store, scopeOf(store, call), of);
  if (found.machine === null && found.edit === null) throw layerNotFound(of);
  return found;
}

/** Returns the error `not_found` for a layer that the episode does not carry, with advice on how to produce it. */
export function layerNotFound(of: EpisodeLayer): AssayError {
  const { not_served } = jobLayerOf(of.layer);
  const layerPath = `${annotationsPath(of)}/${of.layer}`;
  const write = of.layer === 'dense_text' ? `, or write the text yourself with PUT ${layerPath}` : '';
  return new AssayError('not_found', `the episode has no ${of.layer} annotation`, {
    advice:
      not_served === null
        ? `annotate this episode with POST ${layerPath}, or all episodes with POST /v1/projects/${of.project_id}/annotation/jobs and {"layer": "${of.layer}"}${write}`
        : `this layer is not supported: ${not_served}`,
    details: { layer: of.layer },
  });
}

/**
 * Lists the layers that an episode carries, without their content, in catalogue order and the annotation review last.
 * Throws `not_found`.
 */
export async function listEpisodeAnnotations(
  store: Store,
  call: Call,
  of: Omit<EpisodeLayer, 'layer'>,
): Promise<Page<EpisodeAnnotationSummary>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode_id } = of;
  await requireEpisode(scope, of);
  const machines = await annotationRows.listAnnotations(scope, episode_id);
  const edits = await annotationRows.latestEdits(scope, episode_id);
  const items = jobLayerIds.flatMap((layer) => {
    const machine = machines.find((row) => row.layer === layer);
    const edit = edits.find((row) => row.layer === layer);
    if (machine === undefined && edit === undefined) return [];
    return {
      episode_id,
      layer,
      machine: machine === undefined ? null : annotationFacts(machine),
      edited: edit === undefined ? null : editSummaryOf(edit),
      links: { annotation: `${annotationsPath(of)}/${layer}` },
    };
  });
  return { items, next_cursor: null };
}

/** A named part of an episode's annotation. */
interface AnnotationPart {
  readonly media_type: string;
  /** SHA-256 of the bytes. */
  readonly hash: string;
  bytes(): Promise<Uint8Array>;
}

/**
 * Returns a part of an episode's annotation; its bytes are read on demand. Throws `not_found` naming the existing
 * parts; reading the bytes throws `hash_mismatch` if they are corrupt.
 */
export async function getAnnotationPart(
  store: Store,
  call: Call,
  { part: name, ...of }: EpisodeLayer & { readonly part: string },
): Promise<AnnotationPart> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  await requireEpisode(scope, of);
  const row = await annotationRows.getAnnotation(scope, of.episode_id, of.layer);
  if (row === null) throw layerNotFound(of);
  const { artifact_offset: offset, artifact_length: length, artifact_hash: hash, media_type } = row;
  const parts = [{ name: mainPart, media_type, offset, length, hash }, ...row.parts];
  const part = parts.find((one) => one.name === name);
  if (part === undefined)
    throw new AssayError('not_found', `the ${of.layer} annotation of the episode has no such part`, {
      advice: `available parts: ${parts.map((one) => one.name).join(', ')}`,
    });
  return { media_type: part.media_type, hash: part.hash, bytes: () => readStoredRange(store, row, part) };
}

/**
 * Loads a layer's annotation of an episode and its newest edit, each `null` if there is none. Throws `not_found` if the
 * project has no such episode.
 */
export async function loadAnnotation(
  store: Store,
  scope: TenantScope,
  of: EpisodeLayer,
): Promise<EpisodeAnnotation> {
  const { episode_id, layer } = of;
  await requireEpisode(scope, of);
  const row = await annotationRows.getAnnotation(scope, episode_id, layer);
  const edit = await annotationRows.latestEdit(scope, episode_id, layer);
  return {
    episode_id,
    layer,
    machine: row === null ? null : { ...annotationFacts(row), artifact: await readArtifact(store, row) },
    edit: edit === null ? null : editOf(edit),
  };
}

/** Throws `not_found` unless the episode belongs to the project. */
export async function requireEpisode(
  scope: TenantScope,
  of: Pick<EpisodeLayer, 'project_id' | 'episode_id'>,
): Promise<void> {
  if (!(await episodeRows.belongsToProject(scope, of))) throw episodeNotInProject();
}

/**
 * Returns the error `not_found`, the same whether the episode is missing or belongs to another project or tenant, so ids do
 * not leak.
 */
export const episodeNotInProject = (): AssayError =>
  new AssayError('not_found', 'episode not found in the project', {
    advice: 'list the episodes with GET /v1/projects/{project_id}/episodes',
  });

/**
 * Reads an annotation's JSON from the blob store; null if its media type is not JSON. Throws `hash_mismatch` if the
 * bytes differ from those that were stored, `not_found` if they are missing.
 */
export async function readArtifact(
  { blobs }: Pick<Store, 'blobs'>,
  row: annotationRows.AnnotationRow,
): Promise<Annotation['artifact']> {
  if (row.media_type !== 'application/json') return null;
  const { artifact_offset: offset, artifact_length: length, artifact_hash: hash } = row;
  const bytes = await readStoredRange({ blobs }, row, { offset, length, hash });
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
}

/** Reads a byte range of an annotation's blob and verifies its hash. Throws as `readArtifact`. */
export async function readStoredRange(
  { blobs }: Pick<Store, 'blobs'>,
  row: annotationRows.AnnotationRow,
  { offset, length, hash }: Pick<StoredPart, 'offset' | 'length' | 'hash'>,
): Promise<Uint8Array> {
  const bytes = await blobs.range(row.artifact_blob, offset, length).catch((thrown) => {
    throw thrown instanceof AssayError && thrown.code === 'not_found' ? blobMissing(row) : thrown;
  });
  if (sha256(bytes) !== hash) throw blobCorrupt(row);
  return bytes;
}

const blobMissing = (row: annotationRows.AnnotationRow): AssayError =>
  new AssayError('not_found', `the ${row.layer} annotation of the episode is no longer in the blob store`, {
    advice: rerunAdvice(row),
  });

const blobCorrupt = (row: annotationRows.AnnotationRow): AssayError =>
  new AssayError('hash_mismatch', `the stored ${row.layer} annotation does not match its hash`, {
    advice: rerunAdvice(row),
    details: { layer: row.layer, artifact_hash: row.artifact_hash },
  });

const rerunAdvice = (row: annotationRows.AnnotationRow): string =>
  `create it again with POST ${annotationsPath(row)}/${row.layer} and {"force": true}`;

/** An episode of a project and an annotation layer. */
export interface EpisodeLayer {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: Annotation['layer'];
}

/** Converts an annotation row to the API view without its content. */
function annotationFacts(row: annotationRows.AnnotationRow): Omit<Annotation, 'artifact'> {
  const { signal } = jobLayerOf(row.layer).quality;
  return {
    id: row.id,
    project_id: row.project_id,
    episode_id: row.episode_id,
    layer: row.layer,
    job_id: row.job_id,
    run_id: row.run_id,
    model: row.model,
    models: [...row.models],
    config_hash: row.config_hash,
    input_hash: row.input_hash,
    artifact_hash: row.artifact_hash,
    media_type: row.media_type,
    bytes: row.artifact_length,
    parts: row.parts.map(({ name, media_type, length, hash }) => ({ name, media_type, bytes: length, hash })),
    counts: row.counts,
    not_produced: row.not_produced,
    quality: { signal, value: row.quality, reason: row.quality_reason },
    compute_s: Math.round(row.compute_s * 1e6) / 1e6,
    device: row.device,
    cost_usd: row.cost_usd,
    produced_at: row.produced_at.toISOString(),
  };
}

/** Converts an edit row to the API view. */
export function editOf(
  row: Omit<annotationRows.AnnotationEditRow, 'tenant_id'>,
): NonNullable<EpisodeAnnotation['edit']> {
  const { id, text, artifact_hash, created_by, created_at } = row;
  return { id, text, artifact_hash, created_by, created_at: created_at.toISOString() };
}

/** Returns who made an edit and when, for lists. */
function editSummaryOf({
  created_by,
  created_at,
}: annotationRows.AnnotationEditRow): EpisodeAnnotationSummary['edited'] {
  return { created_by, created_at: created_at.toISOString() };
}

/** Returns the API path of an episode's annotations. */
const annotationsPath = ({ project_id, episode_id }: Omit<EpisodeLayer, 'layer'>): string =>
  `/v1/projects/${project_id}/episodes/${episode_id}/annotations`;
