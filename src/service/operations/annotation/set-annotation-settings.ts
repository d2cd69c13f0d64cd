import { canonicalJson } from '#core';
import type { AnnotationSettings } from '#core/api';
import type { SettingsChange } from '#labels/annotation';
import { projectRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { vettedModels } from '../models/vetted-models.ts';
import { noProject } from '../projects/views.ts';
import { getAnnotationSettings } from './get-annotation-settings.ts';
import { settingsAfter } from './settings-after.ts';

export interface AnnotationSettingsChange extends Omit<SettingsChange, 'models'> {
  readonly project_id: string;
  readonly models?: Readonly<Record<string, string>> | undefined;
}

/**
 * Stores which layers a project runs, how and with which models, and audits it as a change of policy. Throws
 * `not_found`, `invalid_request` for a model that is no option.
 */
export async function setAnnotationSettings(
  store: Store,
  call: Call,
  { project_id, models, ...rest }: AnnotationSettingsChange,
): Promise<AnnotationSettings> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const change = { ...rest, models: models === undefined ? undefined : vettedModels(models) };
  await store.database.transaction(async () => {
    const before = await projectRows.getProject(scope, project_id, 'update');
    if (before === null) throw noProject();
    const [from, to] = settingsAfter(before.annotation_settings, change);
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
  return getAnnotationSettings(store, call, { project_id });
}
