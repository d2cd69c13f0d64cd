import { clamp } from '#core';
import { type ReadinessSettings, settingBounds } from '#core/api';
import { listUnknownLoaders } from '#formats/rules';
import { checks } from '#quality/readiness';
import type { UseCaseRow } from '#quality/use-cases';
import type { projectRows } from '#store';
import { storedUseCase } from '../use-cases.ts';

/** Settings of one check in a settings file. */
export type CheckSettings = NonNullable<ReadinessSettings['checks']>[string];

/**
 * Returns the readiness settings that a project's episodes are judged under: the project's own changes over the
 * emphasis of its use case over the defaults, and its loaders. The result is a settings file for `assay assess --settings`, which
 * gives the same receipts for the same recordings.
 */
export function effectiveSettings(
  project: Pick<projectRows.ProjectRow, 'use_case' | 'readiness_settings'>,
): ReadinessSettings {
  const useCase = storedUseCase(project.use_case);
  const rows: Record<string, CheckSettings> = {};
  for (const { id } of checks) {
    const row = withoutDefaults(resolveCheck(useCase, project.readiness_settings, id));
    if (Object.keys(row).length > 0) rows[id] = row;
  }
  const { loaders = [] } = project.readiness_settings;
  const unknown = listUnknownLoaders(loaders);
  const known = loaders.filter((id) => !unknown.includes(id));
  return {
    ...(Object.keys(rows).length > 0 ? { checks: rows } : {}),
    ...(known.length > 0 ? { loaders: known } : {}),
  };
}

/** Returns the weight factor of a use case for a check, with its reason; null if it has none. */
export function findEmphasis(useCase: UseCaseRow, check: string): UseCaseRow['emphasis'][number] | null {
  return useCase.emphasis.find((row) => row.check === check) ?? null;
}

function resolveCheck(
  useCase: UseCaseRow,
  stored: ReadinessSettings,
  check: string,
): Required<CheckSettings> {
  const own = storedCheckSettings(stored, check);
  return {
    enabled: own.enabled ?? true,
    threshold_offset: own.threshold_offset ?? 0,
    weight_factor: own.weight_factor ?? findEmphasis(useCase, check)?.weight_factor ?? 1,
  };
}

/** Returns the stored settings of a check, clamped to the bounds; empty if there are none. */
export function storedCheckSettings(stored: ReadinessSettings, check: string): CheckSettings {
  const row = stored.checks !== undefined && Object.hasOwn(stored.checks, check) ? stored.checks[check] : {};
  return {
    ...(row.enabled === undefined ? {} : { enabled: row.enabled }),
    ...(row.threshold_offset === undefined
      ? {}
      : { threshold_offset: clamp(row.threshold_offset, ...settingBounds.threshold_offset) }),
    ...(row.weight_factor === undefined
      ? {}
      : { weight_factor: clamp(row.weight_factor, ...settingBounds.weight_factor) }),
  };
}

function withoutDefaults(row: Required<CheckSettings>): CheckSettings {
  return {
    ...(row.enabled ? {} : { enabled: false }),
    ...(row.threshold_offset === 0 ? {} : { threshold_offset: row.threshold_offset }),
    ...(row.weight_factor === 1 ? {} : { weight_factor: row.weight_factor }),
  };
}
