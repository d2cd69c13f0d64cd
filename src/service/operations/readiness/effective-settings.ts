import { clamp } from '#core';
import { type ReadinessSettings, settingBounds } from '#core/api';
import type { UseCaseRow } from '#quality/catalog';
import { checks } from '#quality/readiness';
import type { projectRows } from '#store';
import { storedUseCase } from '../workspaces/views.ts';

/** One check's row of a settings file. */
export type CheckSettings = NonNullable<ReadinessSettings['checks']>[string];

/**
 * What a project's episodes are judged under: its own differences over what its use case stresses over the defaults.
 * A settings file as `assay assess --settings` takes it; judged under it, the same recording gives the same receipts.
 */
export function effectiveSettings(
  project: Pick<projectRows.ProjectRow, 'use_case' | 'readiness_settings'>,
): ReadinessSettings {
  const useCase = storedUseCase(project.use_case);
  const rows: Record<string, CheckSettings> = {};
  for (const { id } of checks) {
    const row = withoutDefaults(inEffect(useCase, project.readiness_settings, id));
    if (Object.keys(row).length > 0) rows[id] = row;
  }
  return Object.keys(rows).length > 0 ? { checks: rows } : {};
}

/** Factor that a use case puts on a check's weight; null where it says nothing of it. */
export function emphasisOf(useCase: UseCaseRow, check: string): UseCaseRow['emphasis'][number] | null {
  return useCase.emphasis.find((row) => row.check === check) ?? null;
}

function inEffect(useCase: UseCaseRow, stored: ReadinessSettings, check: string): Required<CheckSettings> {
  const own = storedFor(stored, check);
  return {
    enabled: own.enabled ?? true,
    threshold_offset: own.threshold_offset ?? 0,
    weight_factor: own.weight_factor ?? emphasisOf(useCase, check)?.weight_factor ?? 1,
  };
}

/** What a project stores for a check, within the bounds; empty where it stores nothing. */
export function storedFor(stored: ReadinessSettings, check: string): CheckSettings {
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
