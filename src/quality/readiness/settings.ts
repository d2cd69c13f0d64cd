import { canonicalJson, clamp, sha256, significant } from '#core';
import type { ReadinessSettings } from '#core/api';
import { settingBounds } from '#core/api/bounds';
import { checks } from './check-registry.ts';

/** How one check is judged once defaults, settings and bounds are put together. */
export interface ResolvedCheck {
  readonly enabled: boolean;
  readonly threshold: number;
  readonly weight: number;
}

export interface ResolvedSettings {
  /** By check id; every registered check has a row. */
  readonly checks: Readonly<Record<string, ResolvedCheck>>;
  /** SHA-256 of the canonical JSON of `checks`. Equal hashes judge alike. */
  readonly settings_hash: string;
}

/**
 * Puts stored differences over the defaults. Offsets and factors out of bounds are clamped, unknown check ids are
 * ignored (a stored row outlives the check it names).
 */
export function resolveSettings(settings: ReadinessSettings = {}): ResolvedSettings {
  const resolved: Record<string, ResolvedCheck> = {};
  for (const check of checks) {
    const own = settings.checks?.[check.id];
    const offset = clamp(own?.threshold_offset ?? 0, ...settingBounds.threshold_offset);
    const factor = clamp(own?.weight_factor ?? 1, ...settingBounds.weight_factor);
    resolved[check.id] = {
      enabled: own?.enabled ?? true,
      threshold: significant(clamp(check.threshold.value + offset, 0, 1)),
      weight: significant(check.weight * factor),
    };
  }
  return { checks: resolved, settings_hash: hashOfSettings(resolved) };
}

export function hashOfSettings(resolved: Readonly<Record<string, ResolvedCheck>>): string {
  return sha256(canonicalJson({ checks: resolved }));
}
