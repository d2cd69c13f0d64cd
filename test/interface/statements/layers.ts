import assert from 'node:assert/strict';
import type { AnnotationSettings } from '#client';
import { close, inSection, projectOnly, sameMembers } from '../statement.ts';

const presets = [
  'readiness-only',
  'manipulation-qc',
  'egocentric-full',
  'drive-log-lite',
  'world-model',
  'everything',
];
const modes = ['in_run', 'on_demand', 'off'] as const;
const namedLayers = [
  ...['depth', 'optical_flow', 'hand_pose', 'object_labels', 'dense_text', 'captions', 'metadata'],
  ...['body_pose', 'tracks', 'segmentation', 'segments', 'representation_3d'],
];

const rowOf = ({ layers }: AnnotationSettings, layer: string) => {
  const row = layers.find(({ id }) => id === layer);
  assert.ok(row !== undefined, `there is no layer ${layer}`);
  return row;
};

const catalogStatements = inSection('2.3', {
  'Twelve layers are catalogued, eleven of them servable': async ({ as, newProject }) => {
    const { layers } = await as.viewer.annotation.getSettings(projectOnly(await newProject()));
    sameMembers(
      layers.map(({ id }) => id),
      namedLayers,
    );
    assert.deepEqual(
      layers.filter(({ servable }) => !servable).map(({ id }) => id),
      ['representation_3d'],
    );
  },
  'A row records what the layer produces, its models, kinds, quality check, export formats and knobs':
    async ({ as, newProject }) => {
      for (const row of (await as.viewer.annotation.getSettings(projectOnly(await newProject()))).layers) {
        assert.ok(row.produces !== '' && row.kinds.length > 0 && row.quality.how !== '', row.id);
        assert.ok([row.surfaces, row.export_formats, row.knobs].every(Array.isArray), row.id);
      }
    },
  'The layer that is not deployed is pinned to off': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    await as.engineer.annotation.setSettings({ project_id, modes: { representation_3d: 'in_run' } });
    const row = rowOf(await as.viewer.annotation.getSettings({ project_id }), 'representation_3d');
    assert.deepEqual([row.mode, row.mode_from], ['off', 'pinned']);
  },
  'annotation_review is a job layer without a tile': async ({ as, newProject, recorded }) => {
    const { layers } = await as.viewer.annotation.getSettings(projectOnly(await newProject()));
    assert.ok(!layers.some(({ id }) => String(id) === 'annotation_review'));
    const { project_id } = await recorded();
    await as.engineer.annotationJobs.preview({ project_id, layer: 'annotation_review', force: true });
  },
  'Models of selectable surfaces are named <vendor>/<model>': async ({ as }) => {
    const { items } = await as.viewer.annotation.listModels();
    assert.ok(items.some(({ id, selectable }) => id === 'detection' && selectable));
    for (const { id, selectable, options } of items)
      if (selectable)
        assert.ok(
          options.every((option) => /^[^/\s]+\/\S+$/.test(option.id)),
          id,
        );
  },
});

const settingStatements = [
  ...inSection('2.4', {
    'A layer can be set to in_run, on_demand and off': async ({ as, newProject }) => {
      const { project_id } = await newProject();
      for (const mode of modes) {
        const settings = await as.engineer.annotation.setSettings({ project_id, modes: { captions: mode } });
        assert.deepEqual(settings.project_modes, { captions: mode });
      }
    },
    'A mode that is none is refused': async ({ newProject, send }) => {
      const { project_id } = await newProject();
      const path = `/v1/projects/${project_id}/annotation/settings`;
      assert.equal((await send('PUT', path, { modes: { captions: 'sometimes' } })).status, 422);
    },
  }),
  ...inSection('2.5', {
    'An omitted member stays untouched, an empty object clears it back to inherit': async ({
      as,
      newProject,
    }) => {
      const { project_id } = await newProject();
      const set = as.engineer.annotation.setSettings;
      await set({ project_id, modes: { captions: 'off' } });
      const kept = await set({ project_id, config: { dense_text: { target_words: 60 } } });
      assert.deepEqual(kept.project_modes, { captions: 'off' });
      const cleared = await set({ project_id, modes: {} });
      assert.deepEqual(cleared.project_modes, {});
      assert.deepEqual(cleared.project_config, { dense_text: { target_words: 60 } });
    },
    'Explicit modes win over the preset of the same request': async ({ as, newProject }) => {
      const { project_id } = await newProject();
      const input = { project_id, preset: 'manipulation-qc', modes: { captions: 'off' } } as const;
      const { project_modes } = await as.engineer.annotation.setSettings(input);
      assert.equal(project_modes.captions, 'off');
      assert.equal(project_modes.segments, 'in_run');
    },
    'The knobs of object_labels and dense_text have their types and values': async ({ as, newProject }) => {
      const settings = await as.viewer.annotation.getSettings(projectOnly(await newProject()));
      const knob = (layer: string, id: string) => rowOf(settings, layer).knobs.find((row) => row.id === id);
      assert.ok(knob('object_labels', 'ontology_source')?.values?.includes('manual'));
      assert.equal(knob('object_labels', 'classes')?.type, 'names');
      assert.equal(knob('object_labels', 'confidence_floor')?.type, 'number');
      assert.equal(knob('object_labels', 'masks')?.type, 'flag');
      assert.ok(knob('dense_text', 'style')?.values?.includes('chronological'));
      assert.equal(knob('dense_text', 'target_words')?.type, 'integer');
    },
    'Some knobs are marked as affecting the cost': async ({ as, newProject }) => {
      const { layers } = await as.viewer.annotation.getSettings(projectOnly(await newProject()));
      assert.ok(layers.some(({ knobs }) => knobs.some(({ moves_cost }) => moves_cost)));
    },
    'Modes and configuration of a workspace can be set': async ({ as, newProject }) => {
      const { workspace_id } = await newProject();
      const set = as.engineer.annotation.setWorkspaceSettings;
      const { workspace_modes } = await set({ workspace_id, modes: { depth: 'off' } });
      assert.deepEqual(workspace_modes, { depth: 'off' });
    },
  }),
  ...inSection('2.6', {
    'Settings carry the effective mode of each layer, and what is stored at each level': async ({
      as,
      newProject,
    }) => {
      const { project_id, workspace_id } = await newProject();
      await as.engineer.annotation.setWorkspaceSettings({ workspace_id, modes: { depth: 'off' } });
      const settings = await as.engineer.annotation.setSettings({
        project_id,
        modes: { captions: 'in_run' },
      });
      assert.deepEqual(settings.workspace_modes, { depth: 'off' });
      assert.deepEqual(settings.project_modes, { captions: 'in_run' });
      assert.ok(settings.layers.every(({ mode }) => modes.includes(mode)));
    },
    'Settings carry model options, each with its evidence': async ({ as, newProject }) => {
      const { models } = await as.viewer.annotation.getSettings(projectOnly(await newProject()));
      assert.ok(models.length > 0);
      for (const { id, options } of models)
        assert.ok(
          options.every(({ evidence }) => Array.isArray(evidence)),
          id,
        );
    },
    'Layers that do not apply give a reason': async ({ as, recorded }) => {
      for (const { id, applicable, inapplicable_reason } of (
        await as.viewer.annotation.getSettings(projectOnly(await recorded()))
      ).layers)
        assert.ok(applicable || inapplicable_reason, id);
    },
    'The cost preview sums the layers that are in_run over the episodes of the project': async ({
      as,
      recorded,
    }) => {
      const { cost_preview, layers } = await as.viewer.annotation.getSettings(projectOnly(await recorded()));
      const inRun = layers
        .filter(({ mode, applicable }) => mode === 'in_run' && applicable)
        .map(({ id }) => id);
      assert.ok(cost_preview.layers.every(({ layer }) => inRun.includes(layer)));
      assert.equal(cost_preview.episodes, 2);
      const projected = cost_preview.layers.map(
        ({ episodes, usd_per_episode }) => episodes * usd_per_episode,
      );
      close(
        cost_preview.projected_usd,
        projected.reduce((sum, usd) => sum + usd, 0),
      );
    },
  }),
];

const presetStatements = inSection('2.7', {
  'There are six presets': async ({ as, newProject }) => {
    const settings = await as.viewer.annotation.getSettings(projectOnly(await newProject()));
    sameMembers(
      settings.presets.map(({ id }) => id),
      presets,
    );
  },
  'readiness-only spends nothing on annotation beyond captions': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    const { layers } = await as.engineer.annotation.setSettings({ project_id, preset: 'readiness-only' });
    const running = layers.filter(({ mode }) => mode === 'in_run').map(({ id }) => id);
    assert.ok(
      running.every((id) => id === 'captions' || id === 'metadata'),
      running.join(', '),
    );
  },
  'manipulation-qc runs captions, objects, segments and metadata in the run': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    const settings = await as.engineer.annotation.setSettings({ project_id, preset: 'manipulation-qc' });
    for (const layer of ['captions', 'object_labels', 'segments', 'metadata'])
      assert.equal(rowOf(settings, layer).asked_mode ?? rowOf(settings, layer).mode, 'in_run', layer);
  },
  'Layers that a preset does not name fall back to their default': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    const before = await as.viewer.annotation.getSettings({ project_id });
    const after = await as.engineer.annotation.setSettings({ project_id, preset: 'drive-log-lite' });
    const named = before.presets.find(({ id }) => id === 'drive-log-lite')?.modes ?? {};
    for (const { id, mode } of before.layers)
      if (!(id in named)) assert.equal(rowOf(after, id).mode, mode, id);
  },
  'The API applies any preset in any workspace': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    for (const { id } of (await as.viewer.annotation.getSettings({ project_id })).presets)
      await as.engineer.annotation.setSettings({ project_id, preset: id });
  },
  'The picker offers presets of the use case, and disables those that cannot apply with a reason': async ({
    as,
    newProject,
    recorded,
  }) => {
    for (const project of [await newProject(), await recorded()]) {
      const settings = await as.viewer.annotation.getSettings(projectOnly(project));
      assert.ok(settings.presets.some(({ offered }) => offered));
      assert.ok(settings.presets.some(({ offered }) => !offered));
      assert.ok(settings.presets.every(({ disabled, reason }) => !disabled || reason));
    }
  },
});

const statusStatements = inSection('2.8', {
  'Each layer reports one of six states with its counts': async ({ as, recorded }) => {
    const { layers, episodes } = await as.viewer.annotation.getStatus(projectOnly(await recorded()));
    assert.equal(layers.length, 12);
    for (const { layer, state, reason, covered_episodes, applicable_episodes } of layers) {
      assert.ok(['ran', 'partial', 'on_demand', 'off', 'inapplicable', 'planned'].includes(state), layer);
      assert.ok(state !== 'inapplicable' || reason !== '', layer);
      assert.ok(covered_episodes <= episodes && applicable_episodes <= episodes, layer);
    }
  },
  'Each layer reports whether it ran in the last run': async ({ as, recorded }) => {
    const { layers, last_run } = await as.viewer.annotation.getStatus(projectOnly(await recorded()));
    assert.ok(last_run !== null);
    assert.ok(
      layers.every(({ ran_in_last_run, state }) => !ran_in_last_run || ['ran', 'partial'].includes(state)),
    );
  },
  'Coverage is given per layer and kind with the quality signal': async ({ as, recorded }) => {
    const { layers } = await as.viewer.annotation.getCoverage(projectOnly(await recorded()));
    assert.equal(layers.length, 12);
    for (const { layer, quality_signal, kinds } of layers) {
      assert.ok(quality_signal !== '', layer);
      assert.ok(
        kinds.every(({ covered, episodes, coverage }) => covered <= episodes && (coverage ?? 0) <= 1),
        layer,
      );
    }
  },
});

const guardStatements = inSection('3.1', {
  'Modes resolve from project, then workspace, then the computed default': async ({ as, newProject }) => {
    const { project_id, workspace_id } = await newProject();
    const from = async () =>
      rowOf(await as.viewer.annotation.getSettings({ project_id }), 'captions').mode_from;
    assert.equal(await from(), 'default');
    await as.engineer.annotation.setWorkspaceSettings({ workspace_id, modes: { captions: 'off' } });
    assert.equal(await from(), 'workspace');
    await as.engineer.annotation.setSettings({ project_id, modes: { captions: 'on_demand' } });
    assert.equal(await from(), 'project');
  },
  'Hand pose and dense text are in_run where the use case requests them, otherwise on_demand': async ({
    as,
    newProject,
  }) => {
    for (const { id, capabilities, target_profiles } of (await as.viewer.useCases.list()).items) {
      const profile = target_profiles.find(({ applicable }) => applicable)?.id;
      const settings = await as.viewer.annotation.getSettings(projectOnly(await newProject(profile, id)));
      for (const layer of ['hand_pose', 'dense_text'] as const) {
        const { mode, asked_mode } = rowOf(settings, layer);
        assert.equal(
          asked_mode ?? mode,
          capabilities[layer].requested ? 'in_run' : 'on_demand',
          `${id}, ${layer}`,
        );
      }
    }
  },
  'Object labels are in_run where the target profile needs them, otherwise on_demand': async ({
    as,
    newProject,
  }) => {
    const detector = await as.viewer.annotation.getSettings(
      projectOnly(await newProject('detector', 'vision-datasets')),
    );
    const cloning = await as.viewer.annotation.getSettings(projectOnly(await newProject()));
    assert.deepEqual(
      [rowOf(detector, 'object_labels').mode, rowOf(cloning, 'object_labels').mode],
      ['in_run', 'on_demand'],
    );
  },
  'A mode that a layer does not offer becomes the nearest one that it offers': async ({ as, newProject }) => {
    const { project_id } = await newProject();
    const { layers } = await as.viewer.annotation.getSettings({ project_id });
    const limited = layers.find(
      ({ servable, offered_modes }) => servable && !offered_modes.includes('in_run'),
    );
    if (limited === undefined) return 'every servable layer offers in_run';
    const settings = await as.engineer.annotation.setSettings({
      project_id,
      modes: { [limited.id]: 'in_run' },
    });
    assert.equal(rowOf(settings, limited.id).mode, 'on_demand');
    return undefined;
  },
  'A layer that the kind cannot carry is inapplicable whatever its mode, and never runs': async ({
    as,
    newProject,
  }) => {
    const { project_id } = await newProject();
    await as.engineer.projects.setDataKind({ project_id, kind: 'drive-log' });
    const settings = await as.engineer.annotation.setSettings({ project_id, modes: { hand_pose: 'in_run' } });
    const { applicable, runs } = rowOf(settings, 'hand_pose');
    assert.deepEqual([applicable, runs], [false, false]);
    const { layers } = await as.viewer.annotation.getStatus({ project_id });
    assert.equal(layers.find(({ layer }) => layer === 'hand_pose')?.state, 'inapplicable');
  },
});

const writeStatements = inSection('4.1', {
  'Unknown knobs are dropped, numbers clamped, integers rounded; configuration is never refused': async ({
    as,
    newProject,
  }) => {
    const { project_id } = await newProject();
    const config = {
      object_labels: { confidence_floor: 7, surely_not: 1 },
      dense_text: { target_words: 60.4 },
    };
    const { project_config } = await as.engineer.annotation.setSettings({ project_id, config });
    assert.deepEqual(Object.keys(project_config.object_labels ?? {}), ['confidence_floor']);
    assert.ok(Number(project_config.object_labels?.confidence_floor) <= 1);
    assert.ok(Number.isInteger(project_config.dense_text?.target_words));
  },
  'Models of a surface that cannot be chosen, or that are no option of it, are refused': async ({
    newProject,
    send,
  }) => {
    const { project_id } = await newProject();
    const path = `/v1/projects/${project_id}/annotation/settings`;
    for (const models of [{ surely_not: 'a/b' }, { detection: 'nobody/nothing' }])
      assert.equal((await send('PUT', path, { models })).status, 422);
  },
  'Writes to the settings of projects and workspaces are audited as a policy change': async ({
    as,
    newProject,
  }) => {
    const { project_id, workspace_id } = await newProject();
    await as.engineer.annotation.setSettings({ project_id, modes: { captions: 'off' } });
    await as.engineer.annotation.setWorkspaceSettings({ workspace_id, modes: { captions: 'off' } });
    for (const object_id of [project_id, workspace_id]) {
      const { items } = await as.admin.audit.list({ object_id });
      assert.ok(items.some(({ detail }) => detail.change === 'policy'));
    }
  },
});

export const layerStatements = [
  ...catalogStatements,
  ...settingStatements,
  ...presetStatements,
  ...statusStatements,
  ...guardStatements,
  ...writeStatements,
];
