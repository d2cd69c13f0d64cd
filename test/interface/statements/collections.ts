import assert from 'node:assert/strict';
import type { SearchFilter } from '#client';
import { inSection, projectOnly, refused } from '../statement.ts';
import { newName } from '../world.ts';

const registry = inSection('2.13', {
  'Each row of the model registry carries its evidence, and rejected alternatives their reason': async ({
    as,
  }) => {
    const { items } = await as.viewer.annotation.listModels();
    for (const { id, options, rejected } of items) {
      assert.ok(
        options.every(({ evidence, licence }) => Array.isArray(evidence) && licence !== ''),
        id,
      );
      assert.ok(
        rejected.every(({ reason }) => reason !== ''),
        id,
      );
    }
    assert.ok(items.some(({ rejected }) => rejected.length > 0));
  },
  'The choice of the tenant replaces the default of a model surface': async ({ as }) => {
    const { items, tenant_models } = await as.viewer.annotation.listModels();
    const surface = items.find(({ chosen, selectable, options }) => {
      return selectable && options.length > 1 && chosen.from !== 'environment';
    });
    if (surface === undefined) return 'the environment sets the model of every surface';
    const choice = surface.options.find(({ installed }) => installed !== 'absent') ?? surface.options[0];
    try {
      const after = await as.admin.annotation.setModels({
        models: { ...tenant_models, [surface.id]: choice.id },
      });
      assert.equal(after.tenant_models[surface.id], choice.id);
      const { chosen } = after.items.find(({ id }) => id === surface.id) ?? {};
      assert.ok(chosen?.from === 'tenant' || chosen?.passed_over === choice.id, JSON.stringify(chosen));
    } finally {
      await as.admin.annotation.setModels({ models: tenant_models });
    }
    return undefined;
  },
  'Typed filters of a search run before the ranking': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    const rank = { by: 'text', text: 'pick up' } as const;
    const everything = await as.viewer.search.episodes({ project_id, rank });
    assert.equal(everything.coverage.matched, 2);
    const nothing = await as.viewer.search.episodes({
      project_id,
      rank,
      filter: { tags: [newName('nobody')] },
    });
    assert.deepEqual([nothing.coverage.matched, nothing.items.length], [0, 0]);
  },
  'A search filters by task, outcome, object, failure mode, robot, review decision, tags and scores': async ({
    as,
    recorded,
  }) => {
    const { project_id } = await recorded();
    const filter: SearchFilter = {
      task: ['none'],
      outcome: ['failure'],
      object: ['cup'],
      flag: ['camera_frozen'],
      robot: ['none'],
      review_decision: ['accept'],
      tags: ['none'],
      min_score: 0.1,
      max_score: 0.2,
    };
    assert.equal((await as.viewer.search.episodes({ project_id, filter })).items.length, 0);
  },
  'A saved slice preserves membership, query, coverage, settings and the hash of the response': async ({
    as,
    recorded,
  }) => {
    const { project_id } = await recorded();
    const slice = await as.reviewer.search.createSlice({ project_id, name: newName('all') });
    const { items } = await as.viewer.search.listSliceMembers({ project_id, slice_id: slice.id });
    assert.deepEqual([slice.episodes, slice.coverage.matched, items.length], [2, 2, 2]);
    assert.ok([slice.response_hash, slice.settings_hash].every((hash) => /^[0-9a-f]+$/.test(hash)));
    await as.reviewer.search.deleteSlice({ project_id, slice_id: slice.id });
  },
});

const curation = inSection('4.4', {
  'Strategies are rows of a registry': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    const { items } = await as.viewer.curation.listStrategies({ project_id });
    assert.ok(items.length > 5 && items.every(({ title, about }) => title !== '' && about !== ''));
    const stages = [{ strategy: 'surely_not' }];
    await refused(as.viewer.curation.preview({ project_id, stages }), 422);
  },
  'A preview attributes every dropped episode to the stage that dropped it': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    const stages = [{ strategy: 'decision' }, { strategy: 'score', parameters: { least: 1 } }];
    const { kept, dropped } = await as.viewer.curation.preview({ project_id, stages });
    assert.equal(kept.length + dropped.length, 2);
    assert.ok(
      dropped.every(({ stage, strategy, reason }) => stages[stage]?.strategy === strategy && reason !== ''),
    );
  },
  'An applied plan is stored': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    const { id: plan_id } = await as.engineer.curation.apply({
      project_id,
      seed: 1,
      stages: [{ strategy: 'decision' }],
    });
    assert.equal((await as.viewer.curation.getPlan({ project_id, plan_id })).id, plan_id);
  },
  'A plan is recommended with reasons': async ({ as, recorded }) => {
    const { plan, reasons } = await as.viewer.curation.recommend(projectOnly(await recorded()));
    assert.ok(plan.stages.length > 0 && reasons.every(({ reason }) => reason !== ''));
  },
  'The older form with one strategy still works': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    await as.engineer.curation.curate({ project_id, strategy: 'score', parameters: { least: 0 } });
  },
});

const exports = inSection('2.1', {
  'Episodes leave as a training set with their lineage, sealed by a reviewer and deleted by an admin':
    async ({ as, recorded, exportEnded }) => {
      const { project_id, episode_ids } = await recorded();
      const episodes = { episode_ids: episode_ids.slice(0, 1) };
      const { id: export_id } = await exportEnded(await as.engineer.exports.create({ project_id, episodes }));
      const named = { project_id, export_id };
      const { kept, files } = await as.viewer.exports.getLineage(named);
      assert.ok(kept.length === 1 && files.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)));
      assert.ok((await (await as.viewer.exports.getDownload(named)).arrayBuffer()).byteLength > 0);
      await refused(as.viewer.exports.seal(named), 403);
      assert.equal((await as.reviewer.exports.seal(named)).status, 'sealed');
      await refused(as.engineer.exports.delete(named), 403);
      await as.admin.exports.delete(named);
      await refused(as.viewer.exports.get(named), 404);
    },
});

/** Episodes that a failure is compared with, at least. */
const minBaseline = 10;

const loop = inSection('2.13', {
  'Imported failures are scored for novelty, and close the loop up to an export that waits for a seal':
    async ({ as, recorded, exportEnded }) => {
      const { project_id, episode_ids } = await recorded(minBaseline);
      for (const episode_id of episode_ids)
        await as.reviewer.episodes.createReview({ episode_id, decision: 'accept' });
      const { task } = await as.viewer.episodes.get({ episode_id: episode_ids[0] });
      const records = [{ id: 'rollout-1', task: task ?? 'pick up the cup', failure_mode: 'dropped' }];
      const input = { project_id, records, name: newName('evaluation'), novel_from: 1 };
      const imported = await as.reviewer.failures.import(input);
      assert.equal(imported.failures, 1);
      const { items } = await as.viewer.failures.list({ project_id, import_id: imported.id });
      assert.ok(
        items.every(({ verdict, reason, novelty }) => novelty !== null || (verdict && reason !== '')),
      );
      const plan = { stages: [{ strategy: 'score', parameters: { least: 0 } }] };
      const closed = await as.engineer.failures.closeLoop({ project_id, import_id: imported.id, plan });
      assert.equal((await exportEnded(closed.export)).status, 'succeeded');
    },
  'A slice can be promoted to a locked evaluation set': async ({ as, recorded }) => {
    const { project_id } = await recorded(minBaseline);
    const { id: slice_id } = await as.reviewer.search.createSlice({
      project_id,
      name: newName('held out'),
      most: 1,
    });
    assert.equal((await as.reviewer.search.promoteSlice({ project_id, slice_id })).locked, true);
  },
});

export const collectionStatements = [...registry, ...curation, ...exports, ...loop];
