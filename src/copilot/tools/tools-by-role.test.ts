import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Role, roleReaches, roles } from '#contract';
import { AssayError, type JsonObject, type JsonValue, newId } from '#kernel';
import { type Call, findActor, listAudit } from '#services';
import { OwnObjects } from '#test/support/contract-calls';
import { type ContractService, startContractService } from '#test/support/contract-service';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import { tools } from './registry.ts';

/** The lowest role of every tool, as the interface has it. */
const lowest: Readonly<Record<string, Role>> = {
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

let service: ContractService;
let objects: OwnObjects;
let project_id: string;

beforeAll(async () => {
  service = await startContractService();
  objects = new OwnObjects(service, service.tenants[0]);
  project_id = await objects.fixture('create_export.project_id');
});
afterAll(() => service.close());

async function callOf(role: Role, tenant = 0): Promise<Call> {
  const actor = await findActor(service.store, service.tenants[tenant].tokens[role], new Date());
  if (actor === null) throw new Error('the token is no good');
  return { actor, request_id: newId('req'), now: new Date() };
}

async function run(id: string, role: Role, input: unknown): Promise<JsonValue> {
  return toolOf(id).run(service.store, await callOf(role), input);
}

function toolOf(id: string) {
  const tool = tools.get(id);
  if (tool === undefined) throw new Error(`there is no tool ${id}`);
  return tool;
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (thrown: unknown) => thrown,
  );

async function anExport(): Promise<JsonObject> {
  objects.forget('export_id');
  return { project_id, export_id: await objects.fixture('export_id') };
}

const ofProject = async () => ({ project_id });

/** For each tool an input that can be done whenever it is asked for. */
const inputs: Readonly<Record<string, () => Promise<JsonObject>>> = {
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

/** What needs something under way is done within one transaction, before a worker can have ended it. */
const together = async (role: Role): Promise<JsonValue> =>
  service.store.database.transaction(async () => {
    const engineer = roleReaches(role, 'engineer') ? role : 'engineer';
    const started = await run('trigger_run', engineer, await inputs.trigger_run());
    const run_id = typeof started === 'object' && started !== null && 'id' in started ? started.id : null;
    return run('cancel_run', role, { run_id });
  });

describe.each(tools.rows.map(({ id }) => id))('%s', (id) => {
  it.each(roles)('as the interface has it for a %s', async (role) => {
    const done = id === 'cancel_run' ? () => together(role) : async () => run(id, role, await inputs[id]());
    if (roleReaches(role, lowest[id])) {
      expect(await done()).toBeTypeOf('object');
      return;
    }
    const thrown = await thrownBy(done());
    expect(thrown).toBeInstanceOf(AssayError);
    expect(thrown).toMatchObject({ code: 'forbidden', details: { required_role: lowest[id], role } });
  });

  it('finds nothing of another tenant', async () => {
    if (inputs[id] === undefined || !JSON.stringify(await inputs[id]()).includes('prj_')) return;
    const call = await callOf('admin', 1);
    const thrown = await thrownBy(toolOf(id).run(service.store, call, await inputs[id]()));
    expect(thrown).toMatchObject({ code: 'not_found' });
  });
});

describe('a confirmation', () => {
  const flagged = tools.rows.filter((tool) => tool.confirmed && tool.id !== 'cancel_run');

  it.each(flagged.map(({ id }) => id))('of %s says what would be done, and does nothing', async (id) => {
    const call = await callOf('admin');
    const input = await inputs[id]();
    const before = await listAudit(service.store, call, { limit: 1 });
    const confirmation = await toolOf(id).confirmation?.(service.store, call, input);
    expect(confirmation?.prompt).toMatch(/^[A-Z].{30,}\.$/);
    expect(Object.keys(confirmation?.facts ?? {}).length).toBeGreaterThan(2);
    expect((await listAudit(service.store, call, { limit: 1 })).items).toEqual(before.items);
  });

  it('names episodes, layers and cost of a run, from its plan', async () => {
    const call = await callOf('engineer');
    const input = await inputs.trigger_run();
    const asked = await toolOf('trigger_run').confirmation?.(service.store, call, input);
    expect(asked?.facts).toMatchObject({
      source_id: input.source_id,
      plan_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(asked?.prompt).toContain(`${asked?.facts.episodes} episode`);
  });

  it('is refused where the use case would refuse', async () => {
    const call = await callOf('engineer');
    const job = { project_id, layer: 'representation_3d' };
    const asked = thrownBy(
      Promise.resolve(toolOf('run_annotation_job').confirmation?.(service.store, call, job)),
    );
    expect(await asked).toMatchObject({ code: 'layer_not_servable' });
  });
});

describe('a tool that has run', () => {
  it('keeps the secret of an invitation', async () => {
    const answer = await run('invite_user', 'admin', await inputs.invite_user());
    expect(JSON.stringify(answer)).not.toMatch(/asy_/);
  });

  it('names no media file, in answers or refusals', async () => {
    const path = join(service.recordings, 'clip.mp4');
    writeFileSync(path, '');
    const source = await run('register_source', 'engineer', { project_id, kind: 'folder', path });
    expect(JSON.stringify(source)).toContain('[media file]');
    expect(() => assertNoMedia(source)).not.toThrow();
    const source_id = Object(source).id;
    const call = await callOf('engineer');
    const input = { project_id, source_id };
    const asked = await thrownBy(
      Promise.resolve(toolOf('trigger_run').confirmation?.(service.store, call, input)),
    );
    expect(asked).toBeInstanceOf(AssayError);
    expect(String(asked)).toContain('[media file]');
  });

  it('changes the layers that are named, and no others', async () => {
    await run('set_annotation_layers', 'engineer', { project_id, modes: { segments: 'off' } });
    await run('set_annotation_layers', 'engineer', { project_id, modes: { captions: 'off' } });
    const layers = await run('get_annotation_layers', 'viewer', { project_id });
    expect(layers).toMatchObject({ project_modes: { segments: 'off', captions: 'off' } });
    await run('set_annotation_layers', 'engineer', { project_id, modes: {} });
    expect(await run('get_annotation_layers', 'viewer', { project_id })).toMatchObject({ project_modes: {} });
  });

  it('is in the audit log with the hash of what it was asked, beside what its use case noted', async () => {
    const call = await callOf('engineer');
    await toolOf('create_slice').run(service.store, call, { project_id, name: 'audited' });
    const { items } = await listAudit(service.store, await callOf('admin'), { limit: 2 });
    expect(items).toMatchObject([
      { action: 'use_tool', object_id: 'create_slice', detail: { effect: 'write', outcome: 'done' } },
      { action: 'create_slice', request_id: call.request_id },
    ]);
  });
});
