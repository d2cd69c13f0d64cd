import { canonicalJson, type JsonObject, sha256 } from '#core';
import type { CurationEpisode } from './curation-episode.ts';

/** SHA-256 over what is known of the episodes, which come in the order of ids. */
export function inputHash(episodes: readonly CurationEpisode[]): string {
  return sha256(episodes.map((episode) => sha256(canonicalJson(factsOf(episode)))).join('\n'));
}

function factsOf({
  motion,
  picture,
  sample,
  layouts,
  content_hash,
  idle,
  flags,
  ...facts
}: CurationEpisode): JsonObject {
  return {
    ...facts,
    flags: [...flags].sort(),
    content_hash: content_hash ?? null,
    idle: idle === undefined ? null : { ...idle },
    layouts: layouts === undefined ? null : { ...layouts },
    motion: digestOf(motion),
    picture: digestOf(picture),
    sample:
      sample === undefined
        ? null
        : { layout: sample.layout, states: digestOf(sample.states), actions: digestOf(sample.actions) },
  };
}

function digestOf(values: Float32Array | undefined): string | null {
  return values === undefined
    ? null
    : sha256(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}
