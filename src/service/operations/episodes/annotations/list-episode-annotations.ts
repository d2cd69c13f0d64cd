import { type EpisodeAnnotationSummary, jobLayerIds } from '#core/api';
import { annotationRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import type { Page } from '../../page.ts';
import { demandEpisode } from './load-annotation.ts';
import { annotationFacts, annotationsPath, type EpisodeLayer, editedOf } from './views.ts';

/** The layers that an episode carries, in the order of the catalog, their review last, without what they say. Throws `not_found`. */
export async function listEpisodeAnnotations(
  store: Store,
  call: Call,
  of: Omit<EpisodeLayer, 'layer'>,
): Promise<Page<EpisodeAnnotationSummary>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode_id } = of;
  await demandEpisode(scope, of);
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
      edited: edit === undefined ? null : editedOf(edit),
      links: { annotation: `${annotationsPath(of)}/${layer}` },
    };
  });
  return { items, next_cursor: null };
}
