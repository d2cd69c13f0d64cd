import { AssayError } from '#core';
import type { EpisodeAnnotation } from '#core/api';
import { jobLayerOf } from '#labels/annotation';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { loadAnnotation } from './load-annotation.ts';
import { annotationsPath, type EpisodeLayer } from './views.ts';

/**
 * What a layer says of an episode, and beside it what a person wrote over it last. Throws `not_found`, which tells how
 * to get a layer that the episode does not carry.
 */
export async function getEpisodeAnnotation(
  store: Store,
  call: Call,
  of: EpisodeLayer,
): Promise<EpisodeAnnotation> {
  requireRole(call, 'viewer');
  const found = await loadAnnotation(store, scopeOf(store, call), of);
  if (found.machine === null && found.edit === null) throw notCarried(of);
  return found;
}

/** For a layer that an episode does not carry, with what to do about it. */
export function notCarried(of: EpisodeLayer): AssayError {
  const { not_served } = jobLayerOf(of.layer);
  const own = `${annotationsPath(of)}/${of.layer}`;
  const write = of.layer === 'dense_text' ? `, or write it: PUT ${own}` : '';
  return new AssayError('not_found', `the episode does not carry ${of.layer}`, {
    advice:
      not_served === null
        ? `run it on this episode: POST ${own}; on all of them: POST /v1/projects/${of.project_id}/annotation/jobs with {"layer": "${of.layer}"}${write}`
        : `it is not served: ${not_served}`,
    details: { layer: of.layer },
  });
}
