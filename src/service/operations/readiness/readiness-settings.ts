import { AssayError, canonicalJson, clamp, type JsonObject, pointerPart } from '#core';
import {
  type ProjectReadinessSettings,
  type ReadinessSettings,
  type ReadinessSettingsChange,
  settingBounds,
} from '#core/api';
import { describeLoaders, listUnknownLoaders } from '#formats/rules';
import { checks, resolveSettings } from '#quality/readiness';
import type { UseCaseRow } from '#quality/use-cases';
import { projectRows, type Store } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { storedUseCase } from '../use-cases.ts';
import { type CheckSettings, effectiveSettings, findEmphasis } from './effective-settings.ts';
import { settingsView } from './settings-view.ts';

/** A change of a project's readiness settings. */
export interface ProjectSettingsChange extends ReadinessSettingsChange {
  readonly project_id: string;
}

/**
 * Changes how a project's checks differ from what it inherits, audits a change as `policy` and returns the settings in effect;
 * the hashes in the log are those that receipts carry. Throws `not_found`, `invalid_request` for an unknown check or loader.
 */
export async function setReadinessSettings(
  store: Store,
  call: Call,
  { project_id, ...change }: ProjectSettingsChange,
): Promise<ProjectReadinessSettings> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const { project, adjusted } = await store.database.transaction(async () => {
    const before = await projectRows.getProject(scope, project_id, 'update');
    if (before === null) throw noProject();
    const { stored, adjusted } = changeSettings(
      before.readiness_settings,
      change,
      storedUseCase(before.use_case),
    );
    if (canonicalJson(stored as JsonObject) === canonicalJson(before.readiness_settings as JsonObject))
      return { project: before, adjusted };
    const project = { ...before, readiness_settings: stored, updated_at: call.now };
    await projectRows.updateProject(scope, project_id, {
      readiness_settings: stored,
      updated_at: call.now,
    });
    await appendAudit(store, call, {
      action: 'set_readiness_settings',
      object_type: 'readiness_policy',
      object_id: project_id,
      before: auditedSettings(before),
      after: auditedSettings(project),
      detail: {
        change: 'policy',
        stored: { from: toJsonObject(before.readiness_settings), to: toJsonObject(stored) },
      },
    });
    return { project, adjusted };
  });
  return settingsView(scope, project, adjusted);
}

/** Returns what the settings hash of a receipt covers. */
function auditedSettings(project: projectRows.ProjectRow): JsonObject {
  const { checks, loaders } = resolveSettings(effectiveSettings(project));
  return { checks: toJsonObject(checks), ...(loaders.length === 0 ? {} : { loaders: [...loaders] }) };
}

const toJsonObject = (value: ReadinessSettings | object): JsonObject => ({ ...value }) as JsonObject;

interface ChangedSettings {
  readonly stored: ReadinessSettings;
  readonly adjusted: ProjectReadinessSettings['adjusted'];
}

/**
 * Returns the stored settings with a change applied, and the numbers that were clamped to their bounds, listed in `adjusted`.
 * Only differences from the inherited values remain; numbers out of bounds are clamped and listed in `adjusted`. An empty
 * `checks` object resets all checks; `loaders` replaces the stored list. Throws `invalid_request` for an unknown check or
 * loader.
 */
export function changeSettings(
  stored: ReadinessSettings,
  change: ReadinessSettingsChange,
  useCase: UseCaseRow,
): ChangedSettings {
  if (change.checks === undefined && change.loaders === undefined) return { stored, adjusted: [] };
  requireKnownLoaders(change.loaders ?? []);
  const { checks, adjusted } = changeChecks(stored.checks ?? {}, change.checks, useCase);
  const loaders = change.loaders === undefined ? stored.loaders : [...new Set(change.loaders)];
  const changed = {
    ...(Object.keys(checks).length === 0 ? {} : { checks }),
    ...(loaders === undefined || loaders.length === 0 ? {} : { loaders }),
  };
  return { stored: changed, adjusted };
}

type StoredChecks = NonNullable<ReadinessSettings['checks']>;

/** Returns the stored settings of the checks with a change applied, and the clamped numbers. */
function changeChecks(
  stored: StoredChecks,
  change: ReadinessSettingsChange['checks'],
  useCase: UseCaseRow,
): { readonly checks: StoredChecks; readonly adjusted: ChangedSettings['adjusted'] } {
  if (change === undefined) return { checks: stored, adjusted: [] };
  const changes = Object.entries(change);
  requireKnownChecks(changes.map(([id]) => id));
  if (changes.length === 0) return { checks: {}, adjusted: [] };
  const adjusted: ProjectReadinessSettings['adjusted'] = [];
  const rows = new Map(Object.entries(stored));
  for (const [id, member] of changes) {
    const row = mergeCheckChange(rows.get(id) ?? {}, member, `/body/checks/${id}`, adjusted);
    const different = dropInherited(row, findEmphasis(useCase, id)?.weight_factor ?? 1);
    if (Object.keys(different).length === 0) rows.delete(id);
    else rows.set(id, different);
  }
  return { checks: Object.fromEntries(rows), adjusted };
}

function requireKnownLoaders(ids: readonly string[]): void {
  const unknown = listUnknownLoaders(ids);
  if (unknown.length === 0) return;
  throw new AssayError('invalid_request', `unknown loader ${unknown[0]}`, {
    advice: `available loaders: ${describeLoaders()}`,
    details: {
      errors: unknown.map((id) => ({
        pointer: `/body/loaders/${ids.indexOf(id)}`,
        message: 'unknown loader',
      })),
    },
  });
}

function requireKnownChecks(ids: readonly string[]): void {
  const unknown = ids.filter((id) => checks.get(id) === undefined);
  if (unknown.length === 0) return;
  throw new AssayError('invalid_request', `unknown check ${unknown[0]}`, {
    advice: `available checks: ${checks.ids.join(', ')}`,
    details: {
      errors: unknown.map((id) => ({
        pointer: `/body/checks/${pointerPart(id)}`,
        message: 'unknown check',
      })),
    },
  });
}

type Change = NonNullable<ReadinessSettingsChange['checks']>[string];
const numericMembers = ['threshold_offset', 'weight_factor'] as const;

function mergeCheckChange(
  before: CheckSettings,
  change: Change,
  pointer: string,
  adjusted: ProjectReadinessSettings['adjusted'],
): CheckSettings {
  if (Object.keys(change).length === 0) return {};
  const row = { ...before };
  if (change.enabled === null) delete row.enabled;
  else if (change.enabled !== undefined) row.enabled = change.enabled;
  for (const member of numericMembers) {
    const requestedValue = change[member];
    if (requestedValue === null) delete row[member];
    else if (requestedValue !== undefined) {
      const [min, max] = settingBounds[member];
      row[member] = clamp(requestedValue, min, max);
      if (row[member] !== requestedValue)
        adjusted.push({
          pointer: `${pointer}/${member}`,
          asked: requestedValue,
          stored: row[member],
          reason: `${member} must be from ${min} to ${max}`,
        });
    }
  }
  return row;
}

function dropInherited(row: CheckSettings, inheritedFactor: number): CheckSettings {
  return {
    ...(row.enabled === false ? { enabled: false } : {}),
    ...(row.threshold_offset === undefined || row.threshold_offset === 0
      ? {}
      : { threshold_offset: row.threshold_offset }),
    ...(row.weight_factor === undefined || row.weight_factor === inheritedFactor
      ? {}
      : { weight_factor: row.weight_factor }),
  };
}

/** Returns the readiness settings in effect for a project. Throws `not_found`. */
export async function getReadinessSettings(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<ProjectReadinessSettings> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  return settingsView(scope, project, []);
}
