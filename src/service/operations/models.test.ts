import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelSurface, ModelSurfaceId } from '#core/api';
import { type Store, tenantModelRows } from '#store';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import {
  createProject,
  createWorkspace,
  getAnnotationSettings,
  listAudit,
  listModels,
  setAnnotationSettings,
  setModels,
} from './index.ts';

const chosenOf = (surfaces: readonly ModelSurface[], id: ModelSurfaceId) =>
  surfaces.find((surface) => surface.id === id)?.chosen;

describe.each(serviceDatabases)('models on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  }, 120_000);
  afterAll(() => store.close());

  const begin = async () => {
    const call = callAs('admin');
    const named = { name: 'lab', use_case: 'robotic-manipulation' };
    const { id: workspace_id } = await createWorkspace(store, call, named);
    const project = { workspace_id, name: 'p', target_profile: 'vla' } as const;
    const { id: project_id } = await createProject(store, call, project);
    const inProject = async (seen: Store = store) =>
      chosenOf((await getAnnotationSettings(seen, call, { project_id })).models, 'detection');
    return { call, project_id, inProject };
  };

  it('that a tenant chose are those of every project that chooses none itself', async () => {
    const { call, project_id, inProject } = await begin();
    const answered = await setModels(store, call, { models: { detection: 'peterande/d-fine-s' } });
    expect(answered.tenant_models).toEqual({ detection: 'peterande/d-fine-s' });
    const tenants = {
      ...{ model: 'peterande/d-fine-s', from: 'tenant', passed_over: null },
      missing: expect.stringContaining('chosen by the tenant, is not installed'),
    };
    expect(chosenOf(answered.items, 'detection')).toEqual(tenants);
    expect(await listModels(store, call, {})).toEqual(answered);
    expect(await inProject()).toEqual(tenants);
    await setAnnotationSettings(store, call, { project_id, models: { detection: 'peterande/d-fine-n' } });
    expect(await inProject()).toMatchObject({ model: 'peterande/d-fine-n', from: 'project' });
    expect(chosenOf((await listModels(store, call, {})).items, 'detection')).toEqual(tenants);
  });

  it('that were chosen and cleared are as if nobody had chosen', async () => {
    const { call, inProject } = await begin();
    const untouched = await listModels(store, call, {});
    await setModels(store, call, { models: { depth: 'yvanyin/metric3dv2-vit-large' } });
    expect(await setModels(store, call, { models: {} })).toEqual(untouched);
    expect(await inProject()).toMatchObject({ from: 'default' });
  });

  it('that the service was started with win over everybody', async () => {
    const { call, project_id, inProject } = await begin();
    await setModels(store, call, { models: { detection: 'peterande/d-fine-s' } });
    await setAnnotationSettings(store, call, { project_id, models: { detection: 'peterande/d-fine-n' } });
    const { database, blobs, data_folder } = store;
    const environment_models = { detection: 'lyuwenyu/rt-detrv2-s' };
    const started = { database, blobs, data_folder, environment_models } as Store;
    const set = { model: 'lyuwenyu/rt-detrv2-s', from: 'environment' };
    expect(await inProject(started)).toMatchObject(set);
    expect(chosenOf((await listModels(started, call, {})).items, 'detection')).toMatchObject(set);
  });

  it('are one tenant’s, chosen by its admin', async () => {
    const [{ call }, other] = [await begin(), await begin()];
    await setModels(store, call, { models: { detection: 'peterande/d-fine-s' } });
    expect((await listModels(store, other.call, {})).tenant_models).toEqual({});
    expect(await other.inProject()).toMatchObject({ from: 'default' });
    const engineer = callAs('engineer', call.actor.tenant_id);
    await expect(setModels(store, engineer, { models: {} })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are refused where they are no option, naming those that are', async () => {
    const { call } = await begin();
    const set = (models: Record<string, string>) => setModels(store, call, { models });
    await expect(set({ detection: 'ultralytics/yolo26-x' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/AGPL.*roboflow\/rf-detr-nano/),
      details: { errors: [{ pointer: '/body/models/detection' }] },
    });
    await expect(set({ image_embedding: 'facebook/dinov3' })).rejects.toThrow('unknown model surface');
    expect((await listModels(store, call, {})).tenant_models).toEqual({});
  });

  it('that this version no longer has are passed over, and their surfaces ignored', async () => {
    const { call, project_id, inProject } = await begin();
    const models = {
      ...{
        detection: 'removed/detector',
        body_pose: 'open-mmlab/rtmpose-m',
        masks: 'facebook/sam2.1-hiera-tiny',
      },
      ...{
        segmentation: 'tue-mps/eomt-large-dinov2',
        image_embedding: 'facebook/dinov2-small',
      },
    };
    const scope = { sql: store.database.sql, tenant_id: call.actor.tenant_id };
    await store.database.transaction(async () => {
      await tenantModelRows.ensureTenantModels(scope, call.now);
      await tenantModelRows.setTenantModels(scope, models, call.now);
    });
    const { items, tenant_models } = await listModels(store, call, {});
    expect(Object.keys(tenant_models)).toEqual(['detection', 'body_pose', 'masks']);
    expect(chosenOf(items, 'body_pose')).toMatchObject({
      ...{ model: 'google/movenet-lightning', from: 'default', passed_over: 'open-mmlab/rtmpose-m' },
    });
    expect(chosenOf(items, 'masks')).toMatchObject({
      ...{ model: 'opencv/grabcut', passed_over: 'facebook/sam2.1-hiera-tiny' },
    });
    expect(await inProject()).toMatchObject({ from: 'default', passed_over: 'removed/detector' });
    await setAnnotationSettings(store, call, { project_id, models: {} });
  });

  it('of a tenant are audited as a change of policy, and not where nothing changed', async () => {
    const { call } = await begin();
    const models = { detection: 'peterande/d-fine-s' };
    for (let time = 0; time < 2; time++) await setModels(store, call, { models });
    await setModels(store, call, { models: {} });
    const { items } = await listAudit(store, call, { limit: 50 });
    const written = items.filter(({ action }) => action === 'set_models');
    expect(written.map(({ object_type, detail }) => [object_type, detail])).toEqual([
      ['annotation_policy', { change: 'policy', stored: { from: models, to: {} } }],
      ['annotation_policy', { change: 'policy', stored: { from: {}, to: models } }],
    ]);
  });

  it('that two admins choose at once are those of one of them, whole', async () => {
    const { call } = await begin();
    const choices = Array.from({ length: 8 }, (_, index) => ({
      detection: index % 2 === 0 ? 'peterande/d-fine-s' : 'peterande/d-fine-n',
      depth: index % 2 === 0 ? 'yvanyin/metric3dv2-vit-large' : 'onnx-community/depth-anything-v2-small',
    }));
    await Promise.all(choices.map((models) => setModels(store, call, { models })));
    expect(choices).toContainEqual((await listModels(store, call, {})).tenant_models);
    const { items } = await listAudit(store, call, { limit: 50 });
    const seen = items.filter(({ action }) => action === 'set_models').reverse();
    seen.slice(1).forEach(({ before_hash }, index) => {
      expect(before_hash).toBe(seen[index].after_hash);
    });
  });
});
