import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { layerIds, layerModes, presetIds } from '#core/api';
import { kinds } from '#core/episode';
import { tables } from '#store';
import { addAnnotations } from '#test/support/annotation-rows';
import { addEpisodes } from '#test/support/episode-rows';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import {
  createProject,
  createWorkspace,
  getAnnotationSettings,
  getAnnotationStatus,
  getCachedAnnotationSettings,
  getCachedAnnotationStatus,
  setAnnotationSettings,
  setModels,
  setWorkspaceAnnotationSettings,
} from '../index.ts';

describe.each(serviceDatabases)('answers that are kept, on the %s database', (on) => {
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
    return { call, workspace_id, project_id, tenant_id: call.actor.tenant_id };
  };
  type World = Awaited<ReturnType<typeof begin>>;

  const agree = async ({ call, project_id }: World) => {
    const asked = { project_id };
    const settings = await getCachedAnnotationSettings(store, call, asked);
    expect(settings.read()).toEqual(await getAnnotationSettings(store, call, asked));
    const status = await getCachedAnnotationStatus(store, call, asked);
    expect(status.read()).toEqual(await getAnnotationStatus(store, call, asked));
  };

  const { next: random, pick } = seededRandom(11);
  /** Whatever changes what is answered. */
  const changes: readonly ((world: World) => Promise<unknown>)[] = [
    ({ call, project_id }) =>
      setAnnotationSettings(store, call, { project_id, modes: { [pick(layerIds)]: pick(layerModes) } }),
    ({ call, project_id }) => setAnnotationSettings(store, call, { project_id, preset: pick(presetIds) }),
    ({ call, project_id }) =>
      setAnnotationSettings(store, call, { project_id, config: { depth: { sample_hz: random() * 30 } } }),
    ({ call, project_id }) => setAnnotationSettings(store, call, { project_id, modes: {}, config: {} }),
    ({ call, workspace_id }) =>
      setWorkspaceAnnotationSettings(store, call, {
        workspace_id,
        modes: { [pick(layerIds)]: pick(layerModes) },
      }),
    ({ call }) =>
      setModels(store, call, { models: { detection: pick(['peterande/d-fine-s', 'peterande/d-fine-n']) } }),
    ({ tenant_id, project_id }) =>
      addEpisodes(store, tenant_id, project_id, [{ kind: pick(kinds), duration_s: random() * 60 }]),
    async ({ tenant_id, project_id }) => {
      const ids = await addEpisodes(store, tenant_id, project_id, [{ kind: pick(kinds) }]);
      const qualities = [pick([null, random()])];
      await addAnnotations(store, { tenant_id, project_id }, { layer: pick(layerIds), qualities }, ids);
    },
    ({ project_id }) =>
      store.database.sql
        .update(tables.projects)
        .set({ data_kind_override: pick([null, ...kinds]) })
        .where(eq(tables.projects.id, project_id)),
  ];

  it('are what would be made anew, whatever was changed before', async () => {
    const worlds = [await begin(), await begin()];
    for (let round = 0; round < 60; round++) {
      const world = pick(worlds);
      await pick(changes)(world);
      await agree(world);
      await agree(pick(worlds));
    }
  }, 120_000);

  it('are never older than what was written before they were asked for', async () => {
    const { call, project_id } = await begin();
    const ask = async () =>
      (await getCachedAnnotationSettings(store, call, { project_id })).read().project_config.depth
        ?.sample_hz ?? 0;
    const busy: Promise<unknown>[] = [];
    for (let written = 1; written <= 25; written++) {
      for (let other = 0; other < 4; other++) busy.push(ask());
      await setAnnotationSettings(store, call, { project_id, config: { depth: { sample_hz: written } } });
      expect(await ask()).toBe(written);
    }
    await Promise.all(busy);
  });

  it('are nobody else’s', async () => {
    const [{ project_id, call }, other] = [await begin(), await begin()];
    await getCachedAnnotationSettings(store, call, { project_id });
    await getCachedAnnotationStatus(store, call, { project_id });
    for (const read of [getCachedAnnotationSettings, getCachedAnnotationStatus]) {
      await expect(read(store, other.call, { project_id })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('in a transaction hold nothing of it', async () => {
    const { call, project_id } = await begin();
    const undone = store.database.transaction(async () => {
      await setAnnotationSettings(store, call, { project_id, modes: { depth: 'off' } });
      if (on === 'server') await getCachedAnnotationSettings(store, call, { project_id });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const { project_modes } = (await getCachedAnnotationSettings(store, call, { project_id })).read();
    expect(project_modes).toEqual({});
  });
});
