import assert from 'node:assert/strict';
import { inSection, projectOnly, refused, sameMembers } from '../statement.ts';
import { newName } from '../world.ts';

const useCases = [
  'robotic-manipulation',
  'autonomous-driving',
  'drones-aerial',
  'vision-datasets',
  'spatial-world-models',
  'humanoids-mobile',
  'data-assessment',
] as const;
const profiles = [
  'vla',
  'behaviour-cloning',
  'diffusion-policy',
  'world-model',
  'ssl-encoder',
  'detector',
] as const;
const kinds = ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only', 'vision-asset'] as const;

export const projectStatements = [
  ...inSection('1', {
    'Raw recordings become episodes with aligned streams': async ({ as, recorded }) => {
      const { episode_ids } = await recorded();
      for (const episode_id of episode_ids) {
        const { items } = await as.viewer.episodes.listStreams({ episode_id });
        assert.ok(items.length > 1 && items.every(({ sample_count }) => sample_count > 0));
        assert.ok(items.every(({ clock }) => clock === null || clock.reason !== ''));
      }
    },
    'Raw recordings become episodes with readiness evidence and annotation layers': async ({
      as,
      recorded,
    }) => {
      const { project_id, episode_ids } = await recorded();
      const [episode_id] = episode_ids;
      const episode = await as.viewer.episodes.get({ episode_id });
      assert.ok(episode.views.integrity.checks.length > 0 && episode.receipt.content_hash !== '');
      await as.viewer.episodeAnnotations.list({ project_id, episode_id });
    },
    'A project that never touched layer settings has computed defaults, never blanks': async ({
      as,
      newProject,
    }) => {
      const { layers, project_modes } = await as.viewer.annotation.getSettings(
        projectOnly(await newProject()),
      );
      assert.deepEqual(project_modes, {});
      for (const { id, mode, mode_from, mode_reason } of layers)
        assert.ok(mode !== undefined && mode_from !== 'project' && mode_reason !== '', id);
    },
  }),
  ...inSection('2.1', {
    'A workspace must declare a use case at creation': async ({ send }) => {
      assert.equal((await send('POST', '/v1/workspaces', { name: newName('none') })).status, 422);
    },
    'Each of the seven use cases can be declared': async ({ as }) => {
      const { items } = await as.viewer.useCases.list();
      sameMembers(
        items.map(({ id }) => id),
        useCases,
      );
      for (const use_case of useCases)
        assert.equal(
          (await as.engineer.workspaces.create({ name: newName('any'), use_case })).use_case,
          use_case,
        );
    },
    'The old id data-certification still resolves': async ({ as }) => {
      const { id } = await as.viewer.useCases.get({ use_case_id: 'data-certification' });
      assert.equal(id, 'data-assessment');
    },
    'The use case drives the language of the screens': async ({ as }) => {
      const { items } = await as.viewer.useCases.list();
      assert.ok(new Set(items.map(({ nouns }) => JSON.stringify(nouns))).size > 1);
    },
    'The use case drives applicable and recommended target profiles': async ({ as }) => {
      for (const { id, target_profiles } of (await as.viewer.useCases.list()).items) {
        sameMembers(
          target_profiles.map((profile) => profile.id),
          profiles,
        );
        assert.ok(
          target_profiles.every(
            ({ applicable, recommended, reason }) => reason !== '' && (applicable || !recommended),
          ),
          id,
        );
      }
    },
    'Unfit source and export formats stay visible, disabled with a reason': async ({ as }) => {
      const { items } = await as.viewer.useCases.list();
      for (const { source_formats, export_formats } of items) {
        assert.equal(export_formats.length, items[0].export_formats.length);
        assert.equal(source_formats.length, items[0].source_formats.length);
        for (const { fits, reason } of [...source_formats, ...export_formats])
          assert.ok(fits || reason !== null);
      }
    },
    'The use case drives the emphasis of readiness': async ({ as, newProject }) => {
      const { items } = await as.viewer.useCases.list();
      const emphatic = items.find(({ readiness_emphasis }) => readiness_emphasis.length > 0);
      assert.ok(emphatic !== undefined);
      const { target_profiles, readiness_emphasis } = emphatic;
      const { id = 'behaviour-cloning' } = target_profiles.find(({ applicable }) => applicable) ?? {};
      const { checks } = await as.viewer.readiness.getSettings(
        projectOnly(await newProject(id, emphatic.id)),
      );
      for (const { check, weight_factor } of readiness_emphasis)
        assert.equal(checks.find((row) => row.id === check)?.weight.use_case_factor, weight_factor, check);
    },
    'A project must declare a target profile at creation': async ({ newProject, send }) => {
      const { workspace_id } = await newProject();
      assert.equal((await send('POST', '/v1/projects', { workspace_id, name: newName('none') })).status, 422);
    },
    'Each of the six target profiles can be declared': async ({ as, newProject }) => {
      const { workspace_id } = await newProject();
      for (const target_profile of profiles) {
        const made = await as.engineer.projects.create({
          workspace_id,
          name: newName('any'),
          target_profile,
        });
        assert.equal(made.target_profile, target_profile);
      }
    },
    'A detector target runs grounded object labelling in the pipeline': async ({ as, newProject }) => {
      const { items } = await as.viewer.useCases.listTargetProfiles();
      const detector = items.find(({ id }) => id === 'detector');
      assert.ok(detector?.pipeline_steps.some(({ layers }) => layers.includes('object_labels')));
      const { layers } = await as.viewer.annotation.getSettings(
        projectOnly(await newProject('detector', 'vision-datasets')),
      );
      assert.equal(layers.find(({ id }) => id === 'object_labels')?.mode, 'in_run');
    },
    'Target profiles select among the five export formats': async ({ as }) => {
      const { items } = await as.viewer.useCases.listTargetProfiles();
      const known = ['lerobot-v3', 'webdataset', 'coco-detection', 'image-folder', 'zarr-replay-buffer'];
      assert.ok(items.every(({ export_format }) => known.includes(export_format)));
      assert.ok(new Set(items.map(({ export_format }) => export_format)).size > 1);
    },
    'Target readiness diagnoses the action space and recommends a policy class': async ({ as, recorded }) => {
      const { action_space, recommendation, requirements } = await as.viewer.readiness.getTarget(
        projectOnly(await recorded()),
      );
      assert.equal(action_space.status, 'diagnosed');
      assert.ok(requirements.every(({ reason }) => reason !== ''));
      assert.ok(recommendation.status === 'recommended' || recommendation.reason !== '');
    },
  }),
  ...inSection('2.2', {
    'Each of the six dataset kinds can be pinned for a project, and unpinned': async ({ as, newProject }) => {
      const { project_id } = await newProject();
      for (const kind of kinds) {
        const { effective, from } = await as.engineer.projects.setDataKind({ project_id, kind });
        assert.deepEqual([effective, from], [kind, 'pinned']);
      }
      assert.equal((await as.engineer.projects.setDataKind({ project_id, kind: null })).pinned, null);
    },
    'A kind that is none is refused': async ({ newProject, send }) => {
      const { project_id } = await newProject();
      assert.equal(
        (await send('PUT', `/v1/projects/${project_id}/data-kind`, { kind: 'cooking' })).status,
        422,
      );
    },
    'The kind is derived from the content of episodes, and every episode shows its kind': async ({
      as,
      recorded,
    }) => {
      const { project_id, episode_ids } = await recorded();
      const { items } = await as.viewer.episodes.list({ project_id });
      assert.ok(items.every(({ kind }) => kinds.some((known) => known === kind)));
      const { derived, from } = await as.viewer.projects.getDataKind({ project_id });
      assert.ok(from === 'derived' && derived === items[0].kind);
      const { kind_facts } = await as.viewer.episodes.get({ episode_id: episode_ids[0] });
      assert.ok(kind_facts.evidence.length > 0);
    },
    'The kind decides which annotation layers apply': async ({ as, newProject }) => {
      const { project_id } = await newProject();
      const handPose = async (kind: (typeof kinds)[number]) => {
        await as.engineer.projects.setDataKind({ project_id, kind });
        const { layers } = await as.viewer.annotation.getSettings({ project_id });
        return layers.find(({ id }) => id === 'hand_pose');
      };
      assert.equal((await handPose('egocentric'))?.applicable, true);
      const onDriveLog = await handPose('drive-log');
      assert.equal(onDriveLog?.applicable, false);
      assert.ok(onDriveLog?.inapplicable_reason);
    },
    'The kind decides which readiness checks apply': async ({ as, newProject }) => {
      const { project_id } = await newProject();
      const applying = async (kind: (typeof kinds)[number]) => {
        await as.engineer.projects.setDataKind({ project_id, kind });
        const { checks } = await as.viewer.readiness.getSettings({ project_id });
        return checks.filter(({ applies }) => applies.status !== 'does_not_apply').map(({ id }) => id);
      };
      assert.notDeepEqual(await applying('teleop'), await applying('vision-asset'));
    },
  }),
  ...inSection('4.7', {
    'The use case of an existing workspace can be set': async ({ as, newProject }) => {
      const { workspace_id } = await newProject();
      await as.engineer.workspaces.setUseCase({
        workspace_id,
        use_case: 'humanoids-mobile',
        unfit_projects: 'keep',
      });
      assert.equal((await as.viewer.workspaces.get({ workspace_id })).use_case, 'humanoids-mobile');
      await refused(as.viewer.workspaces.setUseCase({ workspace_id, use_case: 'robotic-manipulation' }), 403);
    },
  }),
];
