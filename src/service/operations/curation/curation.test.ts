import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, seededRandom } from '#core';
import { recommendPlan, resolvePlan, runPlan, runProbe, sampleVersion } from '#quality/curation';
import { openBlobs, tables } from '#store';
import { addEpisodes, type TestEpisode } from '#test/support/episode-rows';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { scopeOf } from '../call.ts';
import {
  applyCuration,
  type Call,
  closeFrameService,
  createProject,
  createReview,
  createWorkspace,
  curate,
  deleteProject,
  getCurationPlan,
  getDistributionGap,
  getOntologySummary,
  listAudit,
  listCurationPlans,
  previewCuration,
  recommendCuration,
  runAblation,
  runProjectProbe,
  setOntologySummary,
} from '../index.ts';
import { loadEpisodes } from './load-episodes.ts';

const as = (call: Call, role: Call['actor']['role']): Call => ({ ...call, actor: { ...call.actor, role } });

const rows: TestEpisode[] = Array.from({ length: 20 }, (_, i) => ({
  decision: i < 14 ? 'accept' : i < 17 ? 'review' : 'reject',
  score: i === 3 ? null : 1 - i / 40,
  task: i < 15 ? 'pour' : 'stack',
  flags: i === 1 ? ['camera_frozen'] : [],
  duration_s: 5 + i,
}));

describe.each(serviceDatabases)('curation on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({
      on,
      blobs: (folder) => openBlobs({ kind: 'folder', folder: join(folder, 'blobs') }),
    });
  }, 120_000);
  afterAll(async () => {
    await closeFrameService(store);
    await store.close();
  });

  const begin = async (episodes = rows) => {
    const call = callAs('engineer');
    const { id: workspace_id } = await createWorkspace(store, call, {
      name: 'lab',
      use_case: 'robotic-manipulation',
    });
    const { id: project_id } = await createProject(store, call, {
      workspace_id,
      name: 'arms',
      target_profile: 'behaviour-cloning',
    });
    const ids = await addEpisodes(store, call.actor.tenant_id, project_id, episodes);
    return { call, project_id, ids };
  };

  it('previews what it then applies, stores it, and writes it into the audit log', async () => {
    const { call, project_id, ids } = await begin();
    const plan = {
      seed: 3,
      stages: [{ strategy: 'decision' }, { strategy: 'random', parameters: { keep: 0.5 } }],
    };
    const preview = await previewCuration(store, as(call, 'viewer'), { project_id, ...plan });
    expect([...preview.kept, ...preview.dropped.map(({ id }) => id)].sort()).toEqual([...ids].sort());
    expect(preview.stages.map(({ dropped }) => dropped)).toEqual([6, 7]);
    const expected_plan_hash = preview.plan_hash;
    const applied = await applyCuration(store, call, { project_id, ...plan, expected_plan_hash });
    expect(applied).toMatchObject({ ...preview, project_id, name: 'decision, random' });
    expect(await getCurationPlan(store, call, { project_id, plan_id: applied.id })).toEqual(applied);
    const { items } = await listCurationPlans(store, call, { project_id, limit: 10 });
    expect(items).toMatchObject([{ id: applied.id, episodes_kept: 7, episodes_dropped: 13 }]);
    const log = await listAudit(store, as(call, 'admin'), { limit: 5 });
    expect(log.items.find(({ object_id }) => object_id === applied.id)).toMatchObject({
      action: 'apply_curation',
      detail: { plan_hash: preview.plan_hash },
    });
  });

  it('lets a reviewer’s word win, and refuses a plan that chose otherwise before', async () => {
    const { call, project_id, ids } = await begin();
    const stages = [{ strategy: 'decision' }];
    const before = await previewCuration(store, call, { project_id, stages });
    await createReview(store, call, { episode_id: ids[0], decision: 'reject', note: 'spilt' });
    const expected_plan_hash = before.plan_hash;
    await expect(
      applyCuration(store, call, { project_id, stages, expected_plan_hash }),
    ).rejects.toMatchObject({
      code: 'plan_changed',
    });
    const after = await applyCuration(store, call, { project_id, stages });
    expect(after.dropped).toContainEqual(
      expect.objectContaining({ id: ids[0], reason: 'decision is reject' }),
    );
  });

  it('applies one strategy alone, and keeps who has no score', async () => {
    const { call, project_id, ids } = await begin();
    const plan = await curate(store, call, { project_id, strategy: 'score', parameters: { least: 0.9 } });
    expect(plan.kept).toContain(ids[3]);
    expect(plan.stages[0]).toMatchObject({ not_assessable: 1, dropped: 15 });
  });

  it('needs an engineer to apply, and knows no project or plan of others', async () => {
    const { call, project_id } = await begin();
    const stages = [{ strategy: 'random' }];
    await expect(applyCuration(store, as(call, 'reviewer'), { project_id, stages })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const { id: plan_id } = await applyCuration(store, call, { project_id, stages });
    const stranger = { ...call, actor: { ...call.actor, tenant_id: newId('tnt') } };
    for (const ask of [
      () => getCurationPlan(store, stranger, { project_id, plan_id }),
      () => previewCuration(store, stranger, { project_id, stages }),
      () => getDistributionGap(store, stranger, { project_id }),
      () => runAblation(store, stranger, { project_id }),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
    const { project_id: other } = await begin([]);
    await expect(getCurationPlan(store, call, { project_id: other, plan_id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('refuses parameters out of range with a pointer, and says what there is instead', async () => {
    const { call, project_id } = await begin([]);
    const stages = [{ strategy: 'random', parameters: { keep: 7 } }, { strategy: 'none' }];
    await expect(previewCuration(store, call, { project_id, stages })).rejects.toMatchObject({
      code: 'invalid_request',
      details: {
        errors: [{ pointer: '/body/stages/0/parameters/keep' }, { pointer: '/body/stages/1/strategy' }],
      },
    });
  });

  it('curates a project without episodes to nothing', async () => {
    const { call, project_id } = await begin([]);
    const plan = await curate(store, call, { project_id, strategy: 'diversity' });
    expect(plan).toMatchObject({ kept: [], dropped: [], before: { episodes: 0 } });
    await deleteProject(store, call, { project_id });
    await expect(getCurationPlan(store, call, { project_id, plan_id: plan.id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('recommends by what the data shows, compares subsets by composition, and ranks gaps', async () => {
    const { call, project_id } = await begin();
    const recommended = await recommendCuration(store, call, { project_id });
    expect(recommended.plan.stages.map(({ strategy }) => strategy)).toEqual(['decision']);
    expect(recommended.reasons[0].reason).toBe('14 of 20 episodes are accepted, 3 rejected');
    expect(recommended.not_recommended.map(({ strategy }) => strategy)).toContain('balance');
    const ablation = await runAblation(store, call, {
      project_id,
      plan: { stages: [{ strategy: 'balance' }] },
    });
    expect(ablation.subsets.map(({ composition }) => composition.episodes)).toEqual([20, 14, 10]);
    expect(ablation.probe.status).toBe('not_run');
    const gap = await getDistributionGap(store, call, { project_id, least_episodes: 15 });
    expect(gap.gaps[0]).toMatchObject({ rank: 1, missing_share: expect.any(Number) });
    expect(gap.gaps).toContainEqual(
      expect.objectContaining({ aspect: 'task', part: 'stack', episodes: 2, missing_share: 0.8667 }),
    );
    expect(gap.covered).not.toContain('task');
    expect(gap.not_assessable.map(({ aspect }) => aspect)).toEqual([
      'robot',
      'action_region',
      'scene',
      'phase',
    ]);
  });

  it('sums up classes of labels under the names that people give them', async () => {
    const labelled = rows
      .slice(0, 3)
      .map((row, i) => ({ ...row, objects: i < 2 ? ['mug'] : ['cup', 'plate'] }));
    const { call, project_id } = await begin(labelled);
    const change = { project_id, renames: { mug: 'cup' }, declare: ['cup', 'spoon'] };
    const summary = await setOntologySummary(store, call, change);
    expect(summary.classes.map(({ name, status, episodes }) => [name, status, episodes])).toEqual([
      ['cup', 'declared_and_found', 3],
      ['plate', 'found_not_declared', 1],
      ['spoon', 'declared_not_found', 0],
    ]);
    expect(summary.classes[0]).toMatchObject({
      found_as: ['cup', 'mug'],
      properties: { task: [{ value: 'pour', episodes: 3 }] },
    });
    await expect(setOntologySummary(store, as(call, 'reviewer'), { project_id })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect((await getOntologySummary(store, as(call, 'viewer'), { project_id })).declared).toEqual([
      'cup',
      'spoon',
    ]);
  });

  it('compares episodes by the descriptors that runs have made', async () => {
    const { call, project_id, ids } = await begin();
    const vectors = ids.map((episode_id, i) => ({
      tenant_id: call.actor.tenant_id,
      project_id,
      episode_id,
      descriptor: 'motion',
      version: 1,
      layout: 'state 2',
      vector: `[${i === 7 ? 6 : i}, ${Math.sin(i === 7 ? 6 : i)}]`,
      reason: null,
    }));
    await store.database.sql.insert(tables.embeddings).values(vectors.slice(0, 18));
    const stages = [{ strategy: 'near_duplicate' }];
    const { dropped, stages: said } = await previewCuration(store, call, { project_id, stages });
    expect(dropped).toMatchObject([{ id: ids[7], reason: 'motion distance 0 to episode_6' }]);
    expect(said[0].not_assessable).toBe(2);
  });

  it('probes the samples that runs have made, as a folder of the same episodes is probed', async () => {
    const { call, project_id, ids } = await begin();
    const random = seededRandom(3);
    const samples = ids.map((episode_id) => {
      const states = Float32Array.from({ length: 2 * 30 }, () => random.normal());
      const actions = Float32Array.from({ length: 30 }, (_, i) => states[2 * i] - 3 * states[2 * i + 1]);
      return {
        ...{ tenant_id: call.actor.tenant_id, project_id, episode_id, version: sampleVersion },
        ...{ content_hash: episode_id, head_s: 0, tail_s: 0, layout: 'state 2, action 1' },
        ...{ state_dims: 2, action_dims: 1, rows: 30 },
        ...{ states: Buffer.from(states.buffer), actions: Buffer.from(actions.buffer) },
      };
    });
    await store.database.sql.insert(tables.curationSamples).values(samples);
    const asked = { project_id, seed: 4, folds: 3, window: 2 };
    const { result } = await runProjectProbe(store, as(call, 'viewer'), asked);
    const { episodes } = await loadEpisodes(scopeOf(store, call), project_id);
    const {
      kept,
      plan_hash,
      plan: recommended,
    } = runPlan(resolvePlan(recommendPlan(episodes, true).plan, ''), episodes);
    const stages = recommended.stages.map(({ strategy }) => strategy).join(', ');
    const how = `recommended plan ${plan_hash.slice(0, 8)}: ${stages}`;
    const own = runProbe(episodes, { ...asked, curated: { kept, how } });
    expect(result).toEqual(JSON.parse(JSON.stringify(own)));
    expect(result).toMatchObject({ status: 'measured', window_rows: 2, held_out: { episodes: 14 } });
    const plan = { stages: [{ strategy: 'random', parameters: { keep: 0.5 } }] };
    const half = (await runProjectProbe(store, call, { ...asked, plan })).result;
    expect(half).toMatchObject({ subsets: [{ episodes: 20 }, { episodes: 14 }, { episodes: 10 }] });
    const both = { ...asked, plan, plan_id: newId('cur') };
    await expect(runProjectProbe(store, call, both)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
