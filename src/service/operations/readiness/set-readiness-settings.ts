import { AssayError, canonicalJson, clamp, type JsonObject } from '#core';
import {
  type ProjectReadinessSettings,
  type ReadinessSettings,
  type ReadinessSettingsChange,
  settingBounds,
} from '#core/api';
import type { UseCaseRow } from '#quality/catalog';
import { checks, resolveSettings } from '#quality/readiness';
import { projectRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { storedUseCase } from '../workspaces/views.ts';
import { type CheckSettings, effectiveSettings, emphasisOf } from './effective-settings.ts';
import { settingsView } from './views.ts';

export interface ProjectSettingsChange extends ReadinessSettingsChange {
  readonly project_id: string;
}

/**
 * Stores how a project's checks differ from what it inherits, and audits it as a change of policy: the hashes in the
 * log are those that receipts carry. Throws `not_found`, `invalid_request` for a check that there is not.
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
      before: judgedBy(before),
      after: judgedBy(project),
      detail: { change: 'policy', stored: { from: plain(before.readiness_settings), to: plain(stored) } },
    });
    return { project, adjusted };
  });
  return settingsView(scope, project, adjusted);
}

/** What the settings hash of a receipt is taken over. */
function judgedBy(project: projectRows.ProjectRow): JsonObject {
  return { checks: plain(resolveSettings(effectiveSettings(project)).checks) };
}

const plain = (value: ReadinessSettings | object): JsonObject => ({ ...value }) as JsonObject;

interface ChangedSettings {
  readonly stored: ReadinessSettings;
  readonly adjusted: ProjectReadinessSettings['adjusted'];
}

/**
 * Puts a change over what is stored. Only differences from what is inherited remain; numbers out of bounds are brought
 * to the bound and said. Throws `invalid_request` for a check that there is not.
 */
export function changeSettings(
  stored: ReadinessSettings,
  change: ReadinessSettingsChange,
  useCase: UseCaseRow,
): ChangedSettings {
  if (change.checks === undefined) return { stored, adjusted: [] };
  const asked = Object.entries(change.checks);
  refuseUnknown(asked.map(([id]) => id));
  if (asked.length === 0) return { stored: {}, adjusted: [] };
  const adjusted: ProjectReadinessSettings['adjusted'] = [];
  const rows = new Map(Object.entries(stored.checks ?? {}));
  for (const [id, member] of asked) {
    const row = merged(rows.get(id) ?? {}, member, `/body/checks/${id}`, adjusted);
    const different = differences(row, emphasisOf(useCase, id)?.weight_factor ?? 1);
    if (Object.keys(different).length === 0) rows.delete(id);
    else rows.set(id, different);
  }
  return { stored: rows.size === 0 ? {} : { checks: Object.fromEntries(rows) }, adjusted };
}

function refuseUnknown(ids: readonly string[]): void {
  const unknown = ids.filter((id) => checks.get(id) === undefined);
  if (unknown.length === 0) return;
  throw new AssayError('invalid_request', `there is no check ${unknown[0]}`, {
    advice: `the checks are ${checks.ids.join(', ')}`,
    details: {
      errors: unknown.map((id) => ({
        pointer: `/body/checks/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        message: 'there is no such check',
      })),
    },
  });
}

type Change = NonNullable<ReadinessSettingsChange['checks']>[string];
const numbers = ['threshold_offset', 'weight_factor'] as const;

function merged(
  before: CheckSettings,
  change: Change,
  pointer: string,
  adjusted: ProjectReadinessSettings['adjusted'],
): CheckSettings {
  if (Object.keys(change).length === 0) return {};
  const row = { ...before };
  if (change.enabled === null) delete row.enabled;
  else if (change.enabled !== undefined) row.enabled = change.enabled;
  for (const member of numbers) {
    const asked = change[member];
    if (asked === null) delete row[member];
    else if (asked !== undefined) {
      const [least, most] = settingBounds[member];
      row[member] = clamp(asked, least, most);
      if (row[member] !== asked)
        adjusted.push({
          pointer: `${pointer}/${member}`,
          asked,
          stored: row[member],
          reason: `${member} goes from ${least} to ${most}`,
        });
    }
  }
  return row;
}

function differences(row: CheckSettings, inheritedFactor: number): CheckSettings {
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
