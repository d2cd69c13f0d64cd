import { canonicalJson, type JsonObject } from '#core';
import type { AnnotationSettings, WorkspaceAnnotationSettings } from '#core/api';
import {
  applyChange,
  listAdjustments,
  readStoredSettings,
  type SettingsChange,
  type StoredSettings,
} from '#labels/annotation';
import { recentInventory } from '#labels/models';
import { type AnnotationInputs, inputRows, projectRows, type Store, workspaceRows } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { answerCachePerStore, type SerializedAnswer } from '../caches.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { validateModelChoice } from '../models.ts';
import { noProject } from '../projects/views.ts';
import { noWorkspace } from '../workspaces.ts';
import { settingsView, storedConfig } from './settings-view.ts';

interface ProjectPath {
  readonly project_id: string;
}

/**
 * Returns the annotation settings in effect for a project: layers, models, presets and cost preview. Throws
 * `not_found`.
 */
export async function getAnnotationSettings(
  store: Store,
  call: Call,
  { project_id }: ProjectPath,
): Promise<AnnotationSettings> {
  return readSettings(store, call, project_id, []);
}

/**
 * Returns the settings of a project. `adjusted`: settings of the request that were stored differently; empty for reads. Throws
 * `not_found`.
 */
async function readSettings(
  store: Store,
  call: Call,
  project_id: string,
  adjusted: AnnotationSettings['adjusted'],
): Promise<AnnotationSettings> {
  requireRole(call, 'viewer');
  const [text, inventory] = await Promise.all([
    inputRows.readInputs(store.database, call.actor.tenant_id, project_id),
    recentInventory(store.data_folder),
  ]);
  if (text === null) throw noProject();
  return settingsView(store, JSON.parse(text), inventory, adjusted);
}

const settingsCaches = answerCachePerStore<AnnotationInputs, AnnotationSettings>();

/**
 * Returns the answer of `getAnnotationSettings` as serialized JSON, computed again only if its inputs have changed. Do not
 * call it inside a transaction: it reads outside of it and does not see its writes. Throws `not_found`.
 */
export async function getCachedAnnotationSettings(
  store: Store,
  call: Call,
  { project_id }: ProjectPath,
): Promise<SerializedAnswer<AnnotationSettings>> {
  requireRole(call, 'viewer');
  const { tenant_id } = call.actor;
  const inventory = await recentInventory(store.data_folder);
  const answer = await settingsCaches(store).answer(`${tenant_id} ${project_id}`, {
    readInputs: () => inputRows.readInputs(store.database, tenant_id, project_id),
    context: inventory,
    compute: (stored) => settingsView(store, stored, inventory),
  });
  if (answer === null) throw noProject();
  return answer;
}

interface AnnotationSettingsChange extends Omit<SettingsChange, 'models'> {
  readonly project_id: string;
  readonly models?: Readonly<Record<string, string>> | undefined;
}

/**
 * Stores the layer modes, layer settings and models of a project, audits the change as `policy`, and returns the
 * settings in effect. Nothing is audited if nothing changes. Throws `not_found`, `invalid_request` for a model that
 * may not be chosen.
 */
export async function setAnnotationSettings(
  store: Store,
  call: Call,
  { project_id, models, ...rest }: AnnotationSettingsChange,
): Promise<AnnotationSettings> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const change = { ...rest, models: models === undefined ? undefined : validateModelChoice(models) };
  await store.database.transaction(async () => {
    const before = await projectRows.getProject(scope, project_id, 'update');
    if (before === null) throw noProject();
    const [from, to] = applySettingsChange(before.annotation_settings, change);
    if (canonicalJson(from) === canonicalJson(to)) return;
    await projectRows.updateProject(scope, project_id, { annotation_settings: to, updated_at: call.now });
    await appendAudit(store, call, {
      action: 'set_annotation_settings',
      object_type: 'annotation_policy',
      object_id: project_id,
      before: from,
      after: to,
      detail: { change: 'policy', stored: { from, to } },
    });
  });
  return readSettings(store, call, project_id, toAdjusted(rest));
}

/** Lists the layer settings of a request that are clamped, rounded or dropped before they are stored. */
const toAdjusted = ({ config }: SettingsChange): AnnotationSettings['adjusted'] =>
  listAdjustments(config).map(({ stored, ...rest }) => ({
    ...rest,
    stored: typeof stored === 'object' && stored !== null ? [...stored] : stored,
  }));

/** Returns the annotation settings that projects of a workspace inherit. Throws `not_found`. */
export async function getWorkspaceAnnotationSettings(
  store: Store,
  call: Call,
  { workspace_id }: { readonly workspace_id: string },
): Promise<WorkspaceAnnotationSettings> {
  requireRole(call, 'viewer');
  const row = await workspaceRows.getWorkspace(scopeOf(store, call), workspace_id);
  if (row === null) throw noWorkspace();
  return workspaceSettingsView(workspace_id, row.annotation_settings, []);
}

function workspaceSettingsView(
  workspace_id: string,
  stored: unknown,
  adjusted: WorkspaceAnnotationSettings['adjusted'],
): WorkspaceAnnotationSettings {
  const settings = readStoredSettings(stored);
  return {
    workspace_id,
    workspace_modes: { ...settings.modes },
    workspace_config: storedConfig(settings),
    adjusted,
  };
}

interface WorkspaceSettingsChange extends Omit<SettingsChange, 'models'> {
  readonly workspace_id: string;
}

/**
 * Stores the annotation settings that projects of a workspace inherit, audits the change as `policy` unless nothing changes,
 * and returns the stored settings. Throws `not_found`.
 */
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
    const [from, to] = applySettingsChange(row.annotation_settings, change);
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
    return workspaceSettingsView(workspace_id, to, toAdjusted(change));
  });
}

/** Returns the stored settings and the settings after a change, both without empty members. */
function applySettingsChange(stored: unknown, change: SettingsChange): readonly [JsonObject, JsonObject] {
  const before = readStoredSettings(stored);
  return [withoutEmptyMembers(before), withoutEmptyMembers(applyChange(before, change))];
}

function withoutEmptyMembers(settings: StoredSettings): JsonObject {
  const nonEmpty = Object.entries(settings).filter(([, member]) => Object.keys(member).length > 0);
  return Object.fromEntries(nonEmpty) as JsonObject;
}
