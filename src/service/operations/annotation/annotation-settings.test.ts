import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatPrices, layerIds } from '#core/api';
import { type Store, tables } from '#store';
import { addEpisodes } from '#test/support/episode-rows';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import {
  createProject,
  createWorkspace,
  getAnnotationSettings,
  listAudit,
  listModels,
  setAnnotationSettings,
  setWorkspaceAnnotationSettings,
} from '../index.ts';

describe.each(serviceDatabases)('annotation settings on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  }, 120_000);
  afterAll(() => store.close());

  const begin = async (target_profile = 'vla' as const) => {
    const call = callAs('admin');
    const named = { name: 'lab', use_case: 'robotic-manipulation' };
    const { id: workspace_id } = await createWorkspace(store, call, named);
    const { id } = await createProject(store, call, { workspace_id, name: 'p', target_profile });
    return { call, workspace_id, project_id: id };
  };
  const layersOf = (settings: Awaited<ReturnType<typeof getAnnotationSettings>>) =>
    Object.fromEntries(settings.layers.map((layer) => [layer.id, layer]));

  it('are computed, never blank, where nobody has set any', async () => {
    const { call, project_id } = await begin();
    const settings = await getAnnotationSettings(store, call, { project_id });
    expect(settings.layers).toHaveLength(layerIds.length);
    expect(layersOf(settings)).toMatchObject({
      metadata: { mode: 'in_run', mode_from: 'default' },
      representation_3d: { mode: 'off', mode_from: 'pinned', servable: false },
    });
    expect([settings.workspace_modes, settings.project_modes]).toEqual([{}, {}]);
    expect(settings.presets.filter(({ offered }) => offered).map(({ id }) => id)).toContain(
      'manipulation-qc',
    );
  });

  it('that were cleared answer as if they had never been touched', async () => {
    const { call, project_id, workspace_id } = await begin();
    const untouched = await getAnnotationSettings(store, call, { project_id });
    const config = { depth: { sample_hz: 4 } };
    const models = { detection: 'peterande/d-fine-s' };
    await setWorkspaceAnnotationSettings(store, call, { workspace_id, modes: { captions: 'off' }, config });
    await setAnnotationSettings(store, call, { project_id, preset: 'everything', config, models });
    expect(await getAnnotationSettings(store, call, { project_id })).not.toEqual(untouched);
    await setWorkspaceAnnotationSettings(store, call, { workspace_id, modes: {}, config: {} });
    const cleared = await setAnnotationSettings(store, call, {
      project_id,
      modes: {},
      config: {},
      models: {},
    });
    expect(cleared).toEqual(untouched);
  });

  it('take the workspace’s knobs where the project sets none of its own', async () => {
    const { call, project_id, workspace_id } = await begin();
    const config = { depth: { sample_hz: 4, max_side_px: 5000 } };
    await setWorkspaceAnnotationSettings(store, call, { workspace_id, config });
    await setAnnotationSettings(store, call, { project_id, config: { depth: { sample_hz: 100 } } });
    const { depth } = layersOf(await getAnnotationSettings(store, call, { project_id }));
    expect(depth.knobs).toMatchObject([
      { id: 'sample_hz', value: 30, from: 'project' },
      { id: 'max_side_px', value: 2048, from: 'workspace' },
    ]);
  });

  it('keep names that no database takes as far as it does', async () => {
    const { call, project_id } = await begin();
    const classes = ['red\u0000cup', '\ud83d', `${'x'.repeat(99)}😀 and more`, ' cup '];
    const set = { project_id, config: { object_labels: { classes } } };
    const { project_config } = await setAnnotationSettings(store, call, set);
    const kept = ['red cup', '\ufffd', `${'x'.repeat(99)}😀`, 'cup'];
    expect(project_config.object_labels?.classes).toEqual(kept);
    expect(await getAnnotationSettings(store, call, { project_id })).toMatchObject({ project_config });
  });

  it('that mean nothing today are passed over and never answered', async () => {
    const { call, project_id, workspace_id } = await begin();
    const untouched = await getAnnotationSettings(store, call, { project_id });
    const odd = {
      modes: { smell: 'in_run', depth: 'sometimes', captions: 7 },
      config: { depth: { sample_hz: null, colour: 'red' }, captions: [], smell: { a: 1 } },
      models: { smell: 'a/b', depth: 3 },
    };
    const { sql } = store.database;
    await sql
      .update(tables.projects)
      .set({ annotation_settings: odd })
      .where(eq(tables.projects.id, project_id));
    await sql
      .update(tables.workspaces)
      .set({ annotation_settings: [odd] })
      .where(eq(tables.workspaces.id, workspace_id));
    expect(await getAnnotationSettings(store, call, { project_id })).toEqual(untouched);
  });

  it('say what layers of a run cost, by the episodes that can carry them', async () => {
    const { call, project_id } = await begin();
    await addEpisodes(store, call.actor.tenant_id, project_id, [
      { cameras: 2, duration_s: 10 },
      { cameras: 2, duration_s: 30 },
      { cameras: 2, duration_s: 1000, kind: 'drive-log' },
    ]);
    const { database, blobs, data_folder } = store;
    const prices = { ...flatPrices(5), layers: { segments: { compute_usd_per_s: 10 } } };
    const priced = { database, blobs, data_folder, prices } as Store;
    const modes = { metadata: 'off', captions: 'off', segments: 'in_run' } as const;
    const { cost_preview } = await setAnnotationSettings(priced, call, { project_id, modes });
    const [segments] = cost_preview.layers;
    expect(cost_preview).toMatchObject({ episodes: 3, layers: [{ layer: 'segments', basis: 'planned' }] });
    // Of 20 s, which take 10 ms and half a millisecond a second.
    expect(segments).toMatchObject({ episodes: 2, compute_s_per_episode: 0.02 });
    expect(segments?.usd_per_episode).toBeCloseTo(0.2);
    expect(cost_preview.projected_usd).toBeCloseTo(0.4);
    expect(cost_preview.per_episode_usd).toBeCloseTo(0.4 / 3, 9);
  });

  it('are audited as a change of policy, and not where nothing changed', async () => {
    const { call, project_id, workspace_id } = await begin();
    const modes = { captions: 'off' } as const;
    for (let time = 0; time < 2; time++) {
      await setAnnotationSettings(store, call, { project_id, modes });
      await setWorkspaceAnnotationSettings(store, call, { workspace_id, modes });
    }
    const { items } = await listAudit(store, call, { limit: 50 });
    const written = items.filter(({ object_type }) => object_type === 'annotation_policy');
    expect(written.map(({ action, detail }) => [action, detail?.change])).toEqual([
      ['set_workspace_annotation_settings', 'policy'],
      ['set_annotation_settings', 'policy'],
    ]);
  });

  it('refuse a model that is no option, naming those that are', async () => {
    const { call, project_id } = await begin();
    const set = (models: Record<string, string>) =>
      setAnnotationSettings(store, call, { project_id, models });
    await expect(set({ detection: 'ultralytics/yolo26-x' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/AGPL.*roboflow\/rf-detr-nano/),
    });
    await expect(set({ image_embedding: 'facebook/dinov3' })).rejects.toMatchObject({
      message: expect.stringContaining('unknown model surface'),
    });
    await expect(set({ smell: 'a/b' })).rejects.toMatchObject({ code: 'invalid_request' });
    const { models } = await set({ detection: 'peterande/d-fine-s' });
    expect(models.find(({ id }) => id === 'detection')?.chosen).toMatchObject({
      model: 'peterande/d-fine-s',
      from: 'project',
    });
  });

  it('of models show each with its evidence, and rivals with the reason of their licence', async () => {
    const { items } = await listModels(store, callAs('viewer'), {});
    expect(items).toHaveLength(10);
    for (const { chosen, options, rejected } of items) {
      expect(options.map(({ id }) => id)).toContain(chosen.model);
      for (const { reason, licence } of rejected) expect([reason, licence]).not.toContain('');
    }
  });
});
