import { canonicalJson, type JsonObject, sha256 } from '#core';
import type { ReadinessSettings } from '#core/api';
import type { Kind } from '#core/episode';
import type { RunLayer } from '#store';

/** SHA-256 over everything that decides what a run will do. */
export function planHash({
  found_hash,
  settings,
  kind,
  layers,
}: {
  readonly found_hash: string;
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  readonly layers: readonly Pick<RunLayer, 'layer' | 'config'>[];
}): string {
  const annotated = layers.map(({ layer, config }) => ({ layer, config }));
  return sha256(canonicalJson({ found_hash, settings, kind, layers: annotated } as unknown as JsonObject));
}
