import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError, type JsonValue, newId } from '#core';
import { type Role, roleReaches, roles } from '#core/api';
import { type Call, findActor, listAudit } from '#service/operations';
import { OwnObjects } from '#test/support/contract-calls';
import { type ContractService, joinContractService } from '#test/support/contract-service';
import { lowestRoles, toolInputs } from '#test/support/tool-inputs';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import { tools } from './registry.ts';

let service: ContractService;
let objects: OwnObjects;
let project_id: string;
let inputs: ReturnType<typeof toolInputs>;

beforeAll(async () => {
  service = await joinContractService();
  objects = new OwnObjects(service, service.tenants[0]);
  project_id = await objects.fixture('create_export.project_id');
  inputs = toolInputs(service, objects, project_id);
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

describe.each(tools.rows.map(({ id }) => id))('%s', (id) => {
  it.each(roles)('as the interface has it for a %s', async (role) => {
    const input = await inputs[id]();
    const done = () => run(id, role, input);
    if (roleReaches(role, lowestRoles[id])) {
      expect(await done()).toBeTypeOf('object');
      return;
    }
    const thrown = await thrownBy(done());
    expect(thrown).toBeInstanceOf(AssayError);
    expect(thrown).toMatchObject({ code: 'forbidden', details: { required_role: lowestRoles[id], role } });
  });

  it('finds nothing of another tenant', async () => {
    if (!JSON.stringify(await inputs[id]()).includes('prj_')) return;
    const call = await callOf('admin', 1);
    const thrown = await thrownBy(toolOf(id).run(service.store, call, await inputs[id]()));
    expect(thrown).toMatchObject({ code: 'not_found' });
  });
});

describe('a confirmation', () => {
  const flagged = tools.rows.filter((tool) => tool.confirmed);

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
