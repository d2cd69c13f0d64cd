import { newId } from '#core';
import type { Workspace } from '#core/api';
import { type Store, workspaceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { useCaseIdOf, workspaceOf } from './views.ts';

export interface NewWorkspace {
  readonly name: string;
  /** Any id of a use case, former ones included. */
  readonly use_case: string;
}

/** Creates a workspace for a use case. */
export async function createWorkspace(store: Store, call: Call, input: NewWorkspace): Promise<Workspace> {
  requireRole(call, 'engineer');
  const row = {
    id: newId('ws'),
    name: input.name,
    use_case: useCaseIdOf(input.use_case),
    annotation_settings: {},
    created_at: call.now,
    updated_at: call.now,
  };
  const created = workspaceOf({ ...row, tenant_id: call.actor.tenant_id });
  await store.database.transaction(async () => {
    await workspaceRows.insertWorkspace(scopeOf(store, call), row);
    await appendAudit(store, call, {
      action: 'create_workspace',
      object_type: 'workspace',
      object_id: row.id,
      before: null,
      after: created,
      detail: { name: row.name, use_case: row.use_case },
    });
  });
  return created;
}
