import type { Annotation, EpisodeAnnotation, EpisodeAnnotationSummary } from '#core/api';
import { jobLayerOf } from '#labels/annotation';
import type { annotationRows } from '#store';

/** An episode of a project, in one layer. */
export interface EpisodeLayer {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: Annotation['layer'];
}

/** A layer's word on an episode, without what it says. */
export function annotationFacts(row: annotationRows.AnnotationRow): Omit<Annotation, 'artifact'> {
  const { signal } = jobLayerOf(row.layer).quality;
  return {
    id: row.id,
    project_id: row.project_id,
    episode_id: row.episode_id,
    layer: row.layer,
    job_id: row.job_id,
    run_id: row.run_id,
    model: row.model,
    config_hash: row.config_hash,
    input_hash: row.input_hash,
    artifact_hash: row.artifact_hash,
    media_type: row.media_type,
    bytes: row.artifact_length,
    parts: row.parts.map(({ name, media_type, length, hash }) => ({ name, media_type, bytes: length, hash })),
    counts: row.counts,
    quality: { signal, value: row.quality, reason: row.quality_reason },
    compute_s: Math.round(row.compute_s * 1e6) / 1e6,
    device: row.device,
    cost_usd: row.cost_usd,
    produced_at: row.produced_at.toISOString(),
  };
}

/** What a person wrote, as it is answered. */
export function editOf(
  row: Omit<annotationRows.AnnotationEditRow, 'tenant_id'>,
): NonNullable<EpisodeAnnotation['edit']> {
  const { id, text, artifact_hash, created_by, created_at } = row;
  return { id, text, artifact_hash, created_by, created_at: created_at.toISOString() };
}

/** The same in a list: who and when. */
export function editedOf({
  created_by,
  created_at,
}: annotationRows.AnnotationEditRow): EpisodeAnnotationSummary['edited'] {
  return { created_by, created_at: created_at.toISOString() };
}

/** Where an episode's annotations are. */
export const annotationsPath = ({ project_id, episode_id }: Omit<EpisodeLayer, 'layer'>): string =>
  `/v1/projects/${project_id}/episodes/${episode_id}/annotations`;
