import type { DataKind } from '#core/api';
import type { Kind } from '#core/episode';
import { projectRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { dataKindOf } from './data-kind.ts';
import { noProject, settingsOfProject } from './views.ts';

/** Pins the kind of a project's data, or with null goes by its episodes again. Throws `not_found`. */
export async function setDataKind(
  store: Store,
  call: Call,
  { project_id, kind }: { readonly project_id: string; readonly kind: Kind | null },
): Promise<DataKind> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const row = await store.database.transaction(async () => {
    const before = await projectRows.getProject(scope, project_id, 'update');
    if (before === null) throw noProject();
    if (before.data_kind_override === kind) return before;
    const after = { ...before, data_kind_override: kind, updated_at: call.now };
    await projectRows.updateProject(scope, project_id, {
      data_kind_override: kind,
      updated_at: call.now,
    });
    await appendAudit(store, call, {
      action: 'set_data_kind',
      object_type: 'project',
      object_id: project_id,
      before: settingsOfProject(before),
      after: settingsOfProject(after),
      detail: { data_kind: { from: before.data_kind_override, to: kind } },
    });
    return after;
  });
  return dataKindOf(store, scope, row);
}
