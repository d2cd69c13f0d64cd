import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Receipt } from '#core/api';
import { assess } from '#engine/local';
import { addEpisodes } from '#test/support/episode-rows';
import { writeSet } from '#test/support/lerobot-set';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import {
  createProject,
  createWorkspace,
  getReadinessSettings,
  listAudit,
  setDataKind,
  setReadinessSettings,
  setUseCase,
} from '../index.ts';

describe.each(serviceDatabases)('readiness settings on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  }, 120_000);
  afterAll(() => store.close());

  const begin = async (use_case: string) => {
    const call = callAs('engineer');
    const { id: workspace_id } = await createWorkspace(store, call, { name: 'lab', use_case });
    const target_profile = 'detector';
    const { id } = await createProject(store, call, { workspace_id, name: 'p', target_profile });
    return { call, workspace_id, project_id: id };
  };

  it('show every check with its default, what the use case stresses and what follows', async () => {
    const { call, project_id, workspace_id } = await begin('robotic-manipulation');
    const settings = await getReadinessSettings(store, call, { project_id });
    expect(settings.checks).toHaveLength(12);
    expect(settings.checks.find(({ id }) => id === 'gripper_consistency')).toMatchObject({
      weight: { default: 1, use_case_factor: 2, stored_factor: null, effective: 2 },
      applies: { status: 'unknown' },
    });
    expect(settings.settings_file.checks?.gripper_consistency).toEqual({ weight_factor: 2 });
    await setUseCase(store, call, { workspace_id, use_case: 'data-assessment', unfit_projects: 'refuse' });
    const neutral = await getReadinessSettings(store, call, { project_id });
    expect(neutral.settings_file).toEqual({});
    expect(neutral.settings_hash).not.toBe(settings.settings_hash);
  });

  it('say which checks apply to the kind of the data', async () => {
    const { call, project_id } = await begin('vision-datasets');
    await setDataKind(store, call, { project_id, kind: 'vision-asset' });
    const settings = await getReadinessSettings(store, call, { project_id });
    const applying = settings.checks
      .filter(({ applies }) => applies.status === 'applies')
      .map(({ id }) => id);
    expect(applying).toEqual(['camera_coverage', 'image_integrity', 'annotation_coverage']);
  });

  it('are given as a file under which an assessment seals receipts with the hash that is shown', async () => {
    const { call, project_id } = await begin('robotic-manipulation');
    const settings = await setReadinessSettings(store, call, {
      project_id,
      checks: {
        episode_length: { enabled: false },
        signal_sync: { threshold_offset: 0.137, weight_factor: 9 },
      },
    });
    expect(settings.adjusted).toMatchObject([
      { pointer: '/body/checks/signal_sync/weight_factor', stored: 3 },
    ]);
    const recording = await writeSet({ layout: 'v3', episodes: 1 });
    const file = JSON.parse(JSON.stringify(settings.settings_file));
    const result = await assess(recording, { settings: file, receipts: true, workers: 1 });
    const receipts = [...result.receipts()].map((json): Receipt => JSON.parse(json));
    await result.close();
    expect(receipts.map(({ settings_hash }) => settings_hash)).toEqual([settings.settings_hash]);
    expect(receipts[0].checks.find(({ id }) => id === 'episode_length')?.status).toBe('disabled');
  });

  it('are audited as a change of policy with the hashes that receipts carry', async () => {
    const { call, project_id } = await begin('robotic-manipulation');
    const before = await getReadinessSettings(store, call, { project_id });
    const change = { project_id, checks: { signal_sync: { weight_factor: 2 } }, loaders: ['gr00t'] };
    const after = await setReadinessSettings(store, call, change);
    await setReadinessSettings(store, call, change);
    const admin = callAs('admin', call.actor.tenant_id);
    const { items } = await listAudit(store, admin, { limit: 50, action: 'set_readiness_settings' });
    expect(items).toMatchObject([
      {
        object_type: 'readiness_policy',
        object_id: project_id,
        before_hash: before.settings_hash,
        after_hash: after.settings_hash,
      },
    ]);
  });

  it('list the loaders that can be chosen, and those that the project chose', async () => {
    const { call, project_id } = await begin('data-assessment');
    const { loaders } = await getReadinessSettings(store, call, { project_id });
    expect(loaders.every(({ chosen }) => !chosen)).toBe(true);
    const changed = await setReadinessSettings(store, call, { project_id, loaders: ['gr00t', 'act'] });
    expect(changed.loaders.filter(({ chosen }) => chosen)).toEqual([
      {
        ...{ id: 'gr00t', title: 'GR00T N1.7', reads: 'LeRobot datasets', chosen: true },
        marker: 'meta/modality.json',
      },
      { id: 'act', title: 'ACT', reads: 'ALOHA and ACT HDF5', marker: null, chosen: true },
    ]);
  });

  it('count the episodes that were last judged under others', async () => {
    const { call, project_id } = await begin('data-assessment');
    const { settings_hash } = await getReadinessSettings(store, call, { project_id });
    const { tenant_id } = call.actor;
    await addEpisodes(store, tenant_id, project_id, [{ settings_hash }, { settings_hash }]);
    await addEpisodes(store, tenant_id, project_id, [{ settings_hash: 'another' }]);
    const now = await getReadinessSettings(store, call, { project_id });
    expect(now).toMatchObject({ episodes: 3, episodes_judged_otherwise: 1 });
    const changed = await setReadinessSettings(store, call, {
      project_id,
      checks: { episode_length: { enabled: false } },
    });
    expect(changed.episodes_judged_otherwise).toBe(3);
    expect(changed.notes.join()).toMatch(/Re-evaluate/);
  });

  it('warn where nothing would be graded', async () => {
    const { call, project_id } = await begin('vision-datasets');
    await setDataKind(store, call, { project_id, kind: 'vision-asset' });
    const settings = await setReadinessSettings(store, call, {
      project_id,
      checks: {
        camera_coverage: { enabled: false },
        image_integrity: { weight_factor: 0 },
        annotation_coverage: { enabled: false },
      },
    });
    expect(settings.notes.join()).toMatch(/sent to review/);
  });

  it('are nothing to another tenant, and not for a reviewer to change', async () => {
    const { call, project_id } = await begin('data-assessment');
    const stranger = callAs('admin');
    await expect(getReadinessSettings(store, stranger, { project_id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(setReadinessSettings(store, stranger, { project_id })).rejects.toMatchObject({
      code: 'not_found',
    });
    const reviewer = callAs('reviewer', call.actor.tenant_id);
    await expect(setReadinessSettings(store, reviewer, { project_id })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
