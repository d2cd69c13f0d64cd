import assert from 'node:assert/strict';
import { verifyReceipt } from '#quality/readiness/documents';
import { close, inSection, projectOnly, refused } from '../statement.ts';
import { newName } from '../world.ts';

const namedChecks = [
  ...['timeline_integrity', 'kinematic_sanity', 'signal_sync', 'episode_length'],
  ...['camera_coverage', 'image_integrity', 'annotation_coverage'],
];

const checks = inSection('2.11', {
  'There are twelve checks, among them those that the interface names': async ({ as, newProject }) => {
    const { checks: rows } = await as.viewer.readiness.getSettings(projectOnly(await newProject()));
    const ids = rows.map(({ id }) => id);
    assert.equal(ids.length, 12);
    for (const id of namedChecks) assert.ok(ids.includes(id), id);
    assert.ok(ids.some((id) => id.startsWith('gripper')) && ids.some((id) => id.startsWith('language')));
  },
  'The score is the weighted mean of the checks that apply': async ({ as, recorded }) => {
    for (const episode_id of (await recorded()).episode_ids) {
      const { views, score } = await as.viewer.episodes.get({ episode_id });
      const scored = [...views.integrity.checks, ...views.semantic.checks].flatMap((check) =>
        check.status === 'scored' ? [check] : [],
      );
      const weight = scored.reduce((sum, check) => sum + check.weight, 0);
      const weighted = scored.reduce((sum, check) => sum + check.weight * check.score, 0);
      close(score ?? 0, weighted / weight);
    }
  },
  'Each component below its threshold raises a named flag that travels with the receipt': async ({
    as,
    recorded,
  }) => {
    for (const episode_id of (await recorded()).episode_ids) {
      const { checks: components, flags } = await as.viewer.episodes.getReceipt({ episode_id });
      for (const component of components)
        if (component.status === 'scored' && component.score < component.threshold)
          assert.ok(
            flags.some(({ check, code }) => check === component.id && code !== ''),
            component.id,
          );
    }
  },
  'A check can be disabled per project': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    const set = { project_id, checks: { language_quality: { enabled: false } } };
    const { checks: rows } = await as.engineer.readiness.setSettings(set);
    const row = rows.find(({ id }) => id === 'language_quality');
    assert.deepEqual([row?.enabled.stored, row?.enabled.effective], [false, false]);
  },
  'Thresholds and weights are clamped to bounded ranges': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    const wanted = { timeline_integrity: { threshold_offset: 99, weight_factor: 99 } };
    const {
      checks: rows,
      bounds,
      adjusted,
    } = await as.engineer.readiness.setSettings({ project_id, checks: wanted });
    const row = rows.find(({ id }) => id === 'timeline_integrity');
    assert.equal(row?.threshold.stored_offset, bounds.threshold_offset[1]);
    assert.equal(row?.weight.stored_factor, bounds.weight_factor[1]);
    assert.equal(adjusted.length, 2);
  },
  'A receipt carries score, decision, evidence, source hashes and a content hash that anyone can verify':
    async ({ as, recorded }) => {
      const [episode_id] = (await recorded()).episode_ids;
      const receipt = await as.viewer.episodes.getReceipt({ episode_id });
      assert.ok(receipt.decision && receipt.checks.length > 0 && receipt.sources.length > 0);
      assert.ok(receipt.sources.every(({ sha256 }) => sha256 === null || /^[0-9a-f]{64}$/.test(sha256)));
      const texts = await Promise.all(
        [1, 2].map(async () => (await as.viewer.download('get_receipt', { episode_id })).text()),
      );
      assert.equal(texts[0], texts[1]);
      assert.deepEqual(verifyReceipt(texts[0]).problems, []);
    },
  'Integrity, semantic quality and utility are views; utility has no single number': async ({
    as,
    recorded,
  }) => {
    const [episode_id] = (await recorded()).episode_ids;
    const { views } = await as.viewer.episodes.get({ episode_id });
    assert.ok(views.integrity.checks.length > 0 && views.semantic.checks.length > 0);
    assert.ok(!('score' in views.utility));
    assert.ok(views.utility.signals.every(({ reason }) => reason !== ''));
  },
});

const reads = inSection('4.3', {
  'Readiness settings show the catalog of checks resolved for the project': async ({ as, newProject }) => {
    const { checks: rows, stored } = await as.viewer.readiness.getSettings(projectOnly(await newProject()));
    assert.deepEqual(stored.checks ?? {}, {});
    for (const { id, threshold, weight, formula } of rows)
      assert.ok(threshold.effective >= 0 && weight.effective >= 0 && formula !== '', id);
  },
  'Only differences from the defaults are stored': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    const wanted = { episode_length: { weight_factor: 1.5 } };
    const { stored } = await as.engineer.readiness.setSettings({ project_id, checks: wanted });
    assert.deepEqual(stored.checks, wanted);
    const reset = { episode_length: { weight_factor: null } };
    const { stored: after } = await as.engineer.readiness.setSettings({ project_id, checks: reset });
    assert.deepEqual(after.checks ?? {}, {});
  },
  'Utility splits integrity, semantic quality and utility, with proxy metrics under semantic': async ({
    as,
    recorded,
  }) => {
    const { integrity, semantic, utility } = await as.viewer.curation.getUtility(
      projectOnly(await recorded()),
    );
    assert.ok(integrity.checks.length > 0 && semantic.proxy_metrics.length > 0);
    assert.ok(!('score' in utility));
    for (const { id, result } of semantic.proxy_metrics)
      assert.ok(result.status === 'measured' || result.reason !== '', id);
  },
  'Ablation compares raw, readiness-filtered and curated subsets by composition, without a training claim':
    async ({ as, recorded }) => {
      const { project_id } = await recorded();
      const { subsets, probe } = await as.viewer.curation.runAblation({ project_id });
      assert.deepEqual(
        subsets.map(({ id }) => id),
        ['raw', 'readiness_filtered', 'curated'],
      );
      assert.equal(probe.status, 'not_run');
    },
  'The distribution gap ranks what the dataset covers too little': async ({ as, recorded }) => {
    const { gaps, not_assessable } = await as.viewer.curation.getDistributionGap(
      projectOnly(await recorded()),
    );
    assert.deepEqual(
      gaps.map(({ rank }) => rank),
      gaps.map((_, index) => index + 1),
    );
    assert.ok(not_assessable.every(({ reason }) => reason !== ''));
  },
  'The ontology summary joins the classes found with those declared, and takes edits': async ({
    as,
    newProject,
  }) => {
    const { project_id } = await newProject();
    const name = newName('cup');
    const set = as.engineer.curation.setOntologySummary;
    const { declared, classes } = await set({ project_id, declare: [name] });
    assert.ok(declared.includes(name));
    assert.equal(classes.find((row) => row.name === name)?.status, 'declared_not_found');
    assert.ok(!(await set({ project_id, undeclare: [name] })).declared.includes(name));
    await refused(as.viewer.curation.setOntologySummary({ project_id, declare: [name] }), 403);
  },
});

export const readinessStatements = [...checks, ...reads];
