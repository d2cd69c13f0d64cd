import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#core';
import { layerIds } from '#core/api';
import { operations } from '#core/api/operations';
import { tables } from '#store';
import { addAnnotations } from '#test/support/annotation-rows';
import { addEpisodes } from '#test/support/episode-rows';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import {
  createProject,
  createWorkspace,
  getAnnotationCoverage,
  getAnnotationStatus,
  setAnnotationSettings,
  setWorkspaceAnnotationSettings,
} from '../index.ts';

const demandSchema = (id: string, answer: unknown) => {
  const success = operations.get(id)?.success;
  expect(success !== undefined && 'schema' in success && success.schema?.parse(answer)).toEqual(answer);
};

describe.each(serviceDatabases)('annotation status on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  }, 120_000);
  afterAll(() => store.close());

  const begin = async () => {
    const call = callAs('admin');
    const { tenant_id } = call.actor;
    const named = { name: 'lab', use_case: 'robotic-manipulation' };
    const { id: workspace_id } = await createWorkspace(store, call, named);
    const project = { workspace_id, name: 'p', target_profile: 'vla' } as const;
    const { id: project_id } = await createProject(store, call, project);
    const status = async () => {
      const answer = await getAnnotationStatus(store, call, { project_id });
      demandSchema('get_annotation_status', answer);
      return { ...answer, of: Object.fromEntries(answer.layers.map((layer) => [layer.layer, layer])) };
    };
    const coverage = async (of: string) => {
      const answer = await getAnnotationCoverage(store, call, { project_id });
      demandSchema('get_annotation_coverage', answer);
      return answer.layers.find(({ layer }) => layer === of)!.kinds;
    };
    const owner = { tenant_id, project_id };
    return { call, owner, workspace_id, project_id, status, coverage };
  };

  it('is planned, on demand or off before anything is there, and says why', async () => {
    const { status, coverage } = await begin();
    const { layers, of, episodes, last_run } = await status();
    expect([layers.length, episodes, last_run]).toEqual([layerIds.length, 0, null]);
    expect(of).toMatchObject({
      metadata: { state: 'planned', mode: 'in_run', available: true, unavailable_reason: null, job_id: null },
      depth: {
        state: 'on_demand',
        available: false,
        unavailable_reason: expect.stringContaining('no model for depth'),
      },
      representation_3d: {
        state: 'off',
        available: false,
        reason: expect.stringContaining('not implemented'),
      },
    });
    expect(await coverage('metadata')).toEqual([]);
  });

  it('tells how many episodes carry a layer of those that can, by kind and with the quality', async () => {
    const { owner, status, coverage } = await begin();
    const ids = await addEpisodes(store, owner.tenant_id, owner.project_id, [
      ...Array.from({ length: 4 }, () => ({})),
      ...Array.from({ length: 2 }, () => ({ kind: 'drive-log' as const })),
    ]);
    await addAnnotations(store, owner, { layer: 'metadata', qualities: [0.5, 1, null, 1, 1, 1] }, ids);
    await addAnnotations(store, owner, { layer: 'segments', qualities: [1, 1] }, ids);
    const { of } = await status();
    expect(of).toMatchObject({
      metadata: { state: 'ran', covered_episodes: 6, applicable_episodes: 6 },
      segments: { state: 'partial', covered_episodes: 2, applicable_episodes: 4 },
      optical_flow: { state: 'on_demand', covered_episodes: 0, applicable_episodes: 6 },
      hand_pose: { state: 'inapplicable', applicable_episodes: 0, reason: expect.stringContaining('teleop') },
    });
    expect(await coverage('metadata')).toMatchObject([
      { kind: 'teleop', episodes: 4, covered: 4, coverage: 1, assessed: 3, quality: 2.5 / 3 },
      { kind: 'drive-log', episodes: 2, covered: 2, coverage: 1, assessed: 2, quality: 1 },
    ]);
    expect(await coverage('segments')).toMatchObject([
      { kind: 'teleop', applicable: true, covered: 2, coverage: 0.5 },
      { kind: 'drive-log', applicable: false, covered: 0, coverage: null },
    ]);
  });

  it('follows the pinned kind, and what was set', async () => {
    const { call, owner, project_id, status, coverage } = await begin();
    const ids = await addEpisodes(store, owner.tenant_id, project_id, [{}, {}, { kind: 'drive-log' }]);
    await addAnnotations(store, owner, { layer: 'segments', qualities: [1, 1, 1] }, ids);
    expect((await status()).of.segments).toMatchObject({ state: 'ran', covered_episodes: 2 });
    const { projects } = tables;
    const pinned = { data_kind_override: 'egocentric' } as const;
    await store.database.sql.update(projects).set(pinned).where(eq(projects.id, project_id));
    expect((await status()).of).toMatchObject({
      segments: { state: 'ran', covered_episodes: 3, applicable_episodes: 3 },
      hand_pose: { state: 'on_demand', applicable_episodes: 3 },
    });
    expect(await coverage('segments')).toMatchObject([{ kind: 'egocentric', episodes: 3, covered: 3 }]);
    await setAnnotationSettings(store, call, {
      project_id,
      modes: { segments: 'off', captions: 'on_demand' },
    });
    expect((await status()).of).toMatchObject({
      segments: { state: 'off', mode: 'off', covered_episodes: 3 },
      captions: { state: 'on_demand', mode: 'on_demand' },
    });
  });

  it('of a project whose settings were cleared is as if nobody had ever touched them', async () => {
    const { call, owner, workspace_id, project_id } = await begin();
    const ids = await addEpisodes(store, owner.tenant_id, project_id, [{}, {}, {}]);
    await addAnnotations(store, owner, { layer: 'metadata', qualities: [1] }, ids);
    const answers = async () => [
      await getAnnotationStatus(store, call, { project_id }),
      await getAnnotationCoverage(store, call, { project_id }),
    ];
    const untouched = await answers();
    const config = { depth: { sample_hz: 4 } };
    await setWorkspaceAnnotationSettings(store, call, { workspace_id, modes: { captions: 'off' }, config });
    await setAnnotationSettings(store, call, { project_id, preset: 'everything', config });
    expect(await answers()).not.toEqual(untouched);
    await setWorkspaceAnnotationSettings(store, call, { workspace_id, modes: {}, config: {} });
    await setAnnotationSettings(store, call, { project_id, modes: {}, config: {}, models: {} });
    expect(await answers()).toEqual(untouched);
  });

  it('is of no project that is not there or another tenant’s', async () => {
    const { project_id } = await begin();
    for (const read of [getAnnotationStatus, getAnnotationCoverage]) {
      const other = callAs('admin');
      await expect(read(store, other, { project_id })).rejects.toMatchObject({ code: 'not_found' });
      await expect(read(store, other, { project_id: newId('prj') })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });
});
