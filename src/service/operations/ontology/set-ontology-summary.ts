import type { OntologySummary, SetOntology } from '#core/api';
import { ontologyRows, projectRows, type Store, workspaceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { getOntologySummary } from './get-ontology-summary.ts';

/** Renames and merges classes of a project and edits what its workspace declares. Throws `not_found`, `limit_exceeded`. */
export async function setOntologySummary(
  store: Store,
  call: Call,
  { project_id, ...change }: SetOntology & { readonly project_id: string },
): Promise<OntologySummary> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    const project = await projectRows.getProject(scope, project_id);
    if (project === null) throw noProject();
    const { workspace_id } = project;
    // Held in this order, so that two changes at once come one after the other.
    await workspaceRows.getWorkspace(scope, workspace_id, 'update');
    if ((await projectRows.getProject(scope, project_id, 'update')) === null) throw noProject();
    const { declared } = await ontologyRows.getOntology(scope, workspace_id);
    const { renames } = await ontologyRows.getOntology(scope, project_id);
    const before = { declared, renames };
    const after = changeOntology(before, change);
    const updated_at = call.now;
    await ontologyRows.setOntology(scope, {
      owner_id: workspace_id,
      declared: after.declared,
      renames: {},
      updated_at,
    });
    await ontologyRows.setOntology(scope, {
      owner_id: project_id,
      declared: [],
      renames: after.renames,
      updated_at,
    });
    await appendAudit(store, call, {
      action: 'set_ontology_summary',
      object_type: 'ontology',
      object_id: project_id,
      before: { declared: [...declared], renames: { ...renames } },
      after: { declared: [...after.declared], renames: { ...after.renames } },
      detail: { change: 'policy', workspace_id },
    });
  });
  return getOntologySummary(store, call, { project_id });
}

interface Ontology {
  readonly declared: readonly string[];
  readonly renames: Readonly<Record<string, string>>;
}

/**
 * What is stored after a change: renames always lead from what recordings say to the last name, so that none leads on
 * to another.
 */
export function changeOntology(before: Ontology, change: SetOntology): Ontology {
  const renames = new Map(Object.entries(before.renames));
  const call = (from: string, to: string | null): void => {
    if (to === null) {
      renames.delete(from);
      return;
    }
    for (const [raw, name] of renames) if (name === from) renames.set(raw, to);
    renames.set(from, to);
  };
  for (const [from, to] of Object.entries(change.renames ?? {})) call(from, to);
  for (const { classes, into } of change.merges ?? []) for (const one of classes) call(one, into);
  for (const [raw, name] of renames) if (raw === name) renames.delete(raw);
  const declared = new Set([...before.declared, ...(change.declare ?? [])]);
  for (const gone of change.undeclare ?? []) declared.delete(gone);
  return {
    declared: [...declared].sort(),
    renames: Object.fromEntries([...renames].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
