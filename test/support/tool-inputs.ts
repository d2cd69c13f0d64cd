import { type JsonObject, newId } from '#core';
import type { Role } from '#core/api';
import type { OwnObjects } from './contract-calls.ts';
import type { ContractService } from './contract-service.ts';

/** The lowest role of every tool, as the interface has it. */
export const lowestRoles: Readonly<Record<string, Role>> = {
  list_workspaces: 'viewer',
  list_use_cases: 'viewer',
  create_workspace: 'engineer',
  list_projects: 'viewer',
  open_project: 'viewer',
  create_project: 'engineer',
  set_target_profile: 'engineer',
  register_source: 'engineer',
  list_sources: 'viewer',
  trigger_run: 'engineer',
  get_run_status: 'viewer',
  cancel_run: 'engineer',
  get_readiness_report: 'viewer',
  diagnose_failures: 'viewer',
  get_annotation_layers: 'viewer',
  set_annotation_layers: 'engineer',
  run_annotation_job: 'engineer',
  get_readiness_settings: 'viewer',
  set_readiness_settings: 'engineer',
  search_episodes: 'viewer',
  create_slice: 'reviewer',
  list_slices: 'viewer',
  curate_subset: 'engineer',
  list_exports: 'viewer',
  create_export: 'engineer',
  seal_export: 'reviewer',
  get_export_download: 'viewer',
  delete_export: 'engineer',
  get_models: 'viewer',
  set_model: 'engineer',
  get_budget: 'viewer',
  set_budget: 'admin',
  list_users: 'admin',
  invite_user: 'admin',
  // A viewer may raise one over HTTP; a viewer's catalogue only reads.
  raise_support_query: 'reviewer',
};

/** For each tool an input that can be done whenever it is asked for, with the objects of one tenant. */
export function toolInputs(
  service: ContractService,
  objects: OwnObjects,
  project_id: string,
): Readonly<Record<string, () => Promise<JsonObject>>> {
  const ofProject = async () => ({ project_id });
  const anExport = async () => {
    objects.forget('export_id');
    return { project_id, export_id: await objects.fixture('export_id') };
  };
  /** A run that waits, and that no worker takes: a copy of one that has ended, of a copy of its source. */
  const aRunThatWaits = async () => {
    const [run_id, source_id] = [newId('run'), newId('src')];
    const ended = await objects.fixture('run_id');
    const { query } = service.store.database;
    await query(
      `INSERT INTO sources SELECT (jsonb_populate_record(sources, $1)).* FROM sources
       WHERE id = (SELECT source_id FROM runs WHERE id = $2)`,
      [{ id: source_id }, ended],
    );
    await query(`INSERT INTO runs SELECT (jsonb_populate_record(runs, $1)).* FROM runs WHERE id = $2`, [
      { id: run_id, source_id, status: 'queued', finished_at: null },
      ended,
    ]);
    return { run_id };
  };
  return {
    list_workspaces: async () => ({}),
    list_use_cases: async () => ({}),
    create_workspace: async () => ({ name: 'lab', use_case: 'robotic-manipulation' }),
    list_projects: async () => ({}),
    open_project: ofProject,
    create_project: async () => ({
      workspace_id: await objects.fixture('workspace_id'),
      name: 'second',
      target_profile: 'vla',
    }),
    set_target_profile: async () => ({ project_id, target_profile: 'behaviour-cloning' }),
    register_source: async () => ({ project_id, kind: 'folder', path: service.recordings }),
    list_sources: ofProject,
    cancel_run: aRunThatWaits,
    trigger_run: async () => ({ project_id, source_id: await objects.fixture('source_id') }),
    get_run_status: ofProject,
    get_readiness_report: ofProject,
    diagnose_failures: ofProject,
    get_annotation_layers: ofProject,
    set_annotation_layers: async () => ({ project_id, modes: { segments: 'on_demand' } }),
    run_annotation_job: async () => ({ project_id, layer: 'metadata', force: true }),
    get_readiness_settings: ofProject,
    set_readiness_settings: async () => ({ project_id, checks: { episode_length: { enabled: false } } }),
    search_episodes: ofProject,
    create_slice: async () => ({ project_id, name: 'all of it' }),
    list_slices: ofProject,
    curate_subset: async () => ({ project_id, stages: [{ strategy: 'random' }] }),
    list_exports: ofProject,
    create_export: async () => ({
      project_id,
      source_id: await objects.fixture('source_id'),
      episodes: { episode_ids: [await objects.fixture('episode_id')] },
    }),
    seal_export: anExport,
    get_export_download: anExport,
    delete_export: anExport,
    get_models: async () => ({}),
    set_model: async () => ({ project_id, models: {} }),
    get_budget: async () => ({}),
    set_budget: async () => ({ cap_usd: null }),
    list_users: async () => ({}),
    invite_user: async () => ({ email: `${newId('usr')}@example.org`, name: 'New', role: 'viewer' }),
    raise_support_query: async () => ({ project_id, subject: 'A camera', message: 'Why is it black?' }),
  };
}
