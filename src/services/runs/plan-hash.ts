import type { ReadinessSettings } from '#contract';
import type { Kind } from '#episode';
import { canonicalJson, type JsonObject, sha256 } from '#kernel';

/** SHA-256 over everything that decides what a run will do. */
export function planHash({
  found_hash,
  settings,
  kind,
}: {
  readonly found_hash: string;
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
}): string {
  return sha256(canonicalJson({ found_hash, settings, kind } as unknown as JsonObject));
}
