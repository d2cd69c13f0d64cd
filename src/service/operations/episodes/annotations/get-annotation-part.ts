import { AssayError } from '#core';
import { mainPart } from '#labels/annotation';
import { annotationRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { notCarried } from './get-episode-annotation.ts';
import { demandEpisode, readStored } from './load-annotation.ts';
import type { EpisodeLayer } from './views.ts';

/** A part of what a layer says of an episode. */
export interface AnnotationPart {
  readonly media_type: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  bytes(): Promise<Uint8Array>;
}

/** Throws `not_found`, which names the parts there are; its bytes throw `hash_mismatch` where they were spoiled. */
export async function getAnnotationPart(
  store: Store,
  call: Call,
  { part: name, ...of }: EpisodeLayer & { readonly part: string },
): Promise<AnnotationPart> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  await demandEpisode(scope, of);
  const row = await annotationRows.getAnnotation(scope, of.episode_id, of.layer);
  if (row === null) throw notCarried(of);
  const { artifact_offset: offset, artifact_length: length, artifact_hash: hash, media_type } = row;
  const parts = [{ name: mainPart, media_type, offset, length, hash }, ...row.parts];
  const part = parts.find((one) => one.name === name);
  if (part === undefined)
    throw new AssayError('not_found', `${of.layer} has no part of this name for the episode`, {
      advice: `it has ${parts.map((one) => one.name).join(', ')}`,
    });
  return { media_type: part.media_type, hash: part.hash, bytes: () => readStored(store, row, part) };
}
