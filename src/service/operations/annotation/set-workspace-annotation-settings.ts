import { canonicalJson } from '#core';
import type { WorkspaceAnnotationSettings } from '#core/api';
import { readStoredSettings, type SettingsChange } from '#labels/annotation';
import { type Store, workspaceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noWorkspace } from '../workspaces/views.ts';
import { settingsAfter } from './settings-after.ts';
import { storedConfig } from './views.ts';

export interface WorkspaceSettingsChange extends Omit<SettingsChange, 'models'> {
  readonly workspace_id: string;
}

/** Stores what a workspace's projects inherit, and audits it as a change of policy. Throws `not_found`. */
export async function setWorkspaceAnnotationSettings(
  store: Store,
  call: Call,
  { workspace_id, ...change }: WorkspaceSettingsChange,
): Promise<WorkspaceAnnotationSettings> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await workspaceRows.getWorkspace(scope, workspace_id, 'update');
    if (row === null) throw noWorkspace();
    const [from, to] = settingsAfter(row.annotation_settings, change);
    if (canonicalJson(from) !== canonicalJson(to)) {
      await workspaceRows.updateWorkspace(scope, workspace_id, {
        annotation_settings: to,
        updated_at: call.now,
      });
      await appendAudit(store, call, {
        action: 'set_workspace_annotation_settings',
        object_type: 'annotation_policy',
        object_id: workspace_id,
        before: from,
        after: to,
        detail: { change: 'policy', stored: { from, to } },
      });
    }
    const settings = readStoredSettings(to);
    return {
      workspace_id,
      workspace_modes: { ...settings.modes },
      workspace_config: storedConfig(settings),
    };
  });
}
