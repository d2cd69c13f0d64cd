import { canonicalJson, type JsonObject } from '#core';
import type { ProjectReadinessSettings, ReadinessSettings, ReadinessSettingsChange } from '#core/api';
import { resolveSettings } from '#quality/readiness';
import { projectRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { storedUseCase } from '../workspaces/views.ts';
import { changeSettings } from './change-settings.ts';
import { effectiveSettings } from './effective-settings.ts';
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
