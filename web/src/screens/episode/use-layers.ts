import { useMemo } from 'react';
import type { AnnotationJob, Episode, EpisodeAnnotationSummary } from '#client';
import { others_ms, useAnswer } from '../../api/use-answer.ts';
import { layerTitle } from '../../components/words.ts';
import { type ObjectLayer, objectLayers, readObjectFrames } from '../../player/frame-objects.ts';
import type { PlayerLayer, PlayerObjects, PlayerProps } from '../../player/types.ts';

/** Layers that are drawn over frames. */
const drawnLayers = [
  'object_labels',
  'segmentation',
  'tracks',
  'body_pose',
  'hand_pose',
  'depth',
  'optical_flow',
] as const;

/** Number of newest jobs that are searched for failures on the episode. */
const maxJobs = 50;

/** Returns the layers that can be drawn over the frames of an episode, and those without output with the reasons. */
export function useEpisodeLayers({
  project_id,
  id: episode_id,
}: Episode): Pick<PlayerProps, 'layers' | 'missing'> {
  const annotations = useAnswer(
    'list_episode_annotations',
    { project_id, episode_id },
    { every_ms: others_ms },
  );
  const jobs = useAnswer('list_annotation_jobs', { project_id, limit: maxJobs });
  return useMemo(() => {
    const items = (annotations.data?.items ?? []).filter((item) => item.episode_id === episode_id);
    return {
      layers: drawnLayers.flatMap((id) => {
        const machine = items.find(({ layer }) => layer === id)?.machine ?? null;
        if (machine === null || machine.not_produced !== null) return [];
        return { id, title: layerTitle(id), produced_at: machine.produced_at };
      }),
      missing: [...findReasons(items, jobs.data?.items ?? [], episode_id)].map(([layer, reason]) => ({
        title: layerTitle(layer),
        reason,
      })),
    };
  }, [annotations.data, jobs.data, episode_id]);
}

/** Returns why layers have no output: they found nothing, or their newest job with this episode failed on it. */
function findReasons(
  items: readonly EpisodeAnnotationSummary[],
  jobs: readonly AnnotationJob[],
  episode_id: string,
): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const { layer, machine } of items)
    if (machine !== null && machine.not_produced !== null) reasons.set(layer, machine.not_produced);
  for (const { layer, created_at, failures } of jobs) {
    const failure = failures.find((each) => each.episode_id === episode_id);
    const produced_at = items.find((item) => item.layer === layer)?.machine?.produced_at ?? '';
    if (failure === undefined || created_at < produced_at || reasons.has(layer)) continue;
    reasons.set(layer, `failed: ${failure.error.message}`);
  }
  return reasons;
}

const isObjectLayer = (id: string): id is ObjectLayer => (objectLayers as readonly string[]).includes(id);

/** Returns the objects of a layer of an episode; `null` if the layer names none, and while they are loading. */
export function useObjects(
  { project_id, id: episode_id }: Episode,
  layer: PlayerLayer | null,
): PlayerObjects | null {
  const id = layer !== null && isObjectLayer(layer.id) ? layer.id : null;
  const annotation = useAnswer(
    'get_episode_annotation',
    { project_id, episode_id, layer: id ?? 'object_labels' },
    { when: id !== null, stale_ms: Number.POSITIVE_INFINITY, version: layer?.produced_at },
  );
  const artifact = annotation.isPlaceholderData ? null : (annotation.data?.machine?.artifact ?? null);
  const objects = useMemo(
    () => (id === null || artifact === null ? null : { frames: readObjectFrames(id, artifact) }),
    [id, artifact],
  );
  return annotation.isLoadingError && id !== null
    ? { error: annotation.error, onRetry: () => void annotation.refetch() }
    : objects;
}
