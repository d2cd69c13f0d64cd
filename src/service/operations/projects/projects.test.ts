import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#core';
import { openBlobs, tables } from '#store';
import { addEpisodes } from '#test/support/episode-rows';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import {
  createProject,
  createWorkspace,
  deleteProject,
  deleteWorkspace,
  getProject,
  getProjectFormats,
  listAudit,
  listProjects,
  listWorkspaces,
  setDataKind,
  setUseCase,
  updateProject,
  updateWorkspace,
} from '../index.ts';

describe.each(serviceDatabases)('workspaces and projects on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({
      on,
      blobs: (folder) => openBlobs({ kind: 'folder', folder: join(folder, 'blobs') }),
    });
  }, 120_000);
  afterAll(() => store.close());

  const begin = async (use_case = 'robotic-manipulation', target_profile: 'vla' | 'detector' = 'vla') => {
    const call = callAs('engineer');
    const workspace = await createWorkspace(store, call, { name: 'lab', use_case });
    const project = await createProject(store, call, {
      workspace_id: workspace.id,
      name: 'bottles',
      target_profile,
    });
    return { call, workspace, project };
  };

  it('keeps the use case under its id of today when a former id was given', async () => {
    const workspace = await createWorkspace(store, callAs('engineer'), {
      name: 'audits',
      use_case: 'data-certification',
    });
    expect(workspace.use_case).toBe('data-assessment');
  });

  it('refuses a target that does not apply under the use case, and names those that do', async () => {
    const { call, workspace } = await begin('vision-datasets', 'detector');
    const wrong = createProject(store, call, {
      workspace_id: workspace.id,
      name: 'x',
      target_profile: 'vla',
    });
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_request',
      details: {
        applicable_target_profiles: ['ssl-encoder', 'detector'],
        errors: [{ pointer: '/body/target_profile' }],
      },
    });
  });

  it('does not change a use case under which a project’s target does not apply, unless told to keep it', async () => {
    const { call, workspace, project } = await begin();
    const change = { workspace_id: workspace.id, use_case: 'vision-datasets' };
    await expect(setUseCase(store, call, { ...change, unfit_projects: 'refuse' })).rejects.toMatchObject({
      code: 'conflict',
      details: {
        unfit_projects_total: 1,
        unfit_projects: [{ project_id: project.id, target_profile: 'vla' }],
      },
    });
    const kept = await setUseCase(store, call, { ...change, unfit_projects: 'keep' });
    expect(kept.use_case).toBe('vision-datasets');
    const { target_profile_unfit, use_case } = await getProject(store, call, { project_id: project.id });
    expect(use_case).toBe('vision-datasets');
    expect(target_profile_unfit).toMatch(/commands/);
    const renamed = await updateProject(store, call, { project_id: project.id, name: 'cups' });
    expect(renamed).toMatchObject({ name: 'cups', target_profile: 'vla' });
    const fitting = await updateProject(store, call, { project_id: project.id, target_profile: 'detector' });
    expect(fitting.target_profile_unfit).toBeNull();
  });

  it('lets either the use case or the project be first when both are set at once, never both', async () => {
    for (let round = 0; round < 8; round++) {
      const call = callAs('engineer');
      const { id } = await createWorkspace(store, call, { name: 'lab', use_case: 'robotic-manipulation' });
      const outcomes = await Promise.allSettled([
        createProject(store, call, { workspace_id: id, name: 'arms', target_profile: 'vla' }),
        setUseCase(store, call, {
          workspace_id: id,
          use_case: 'vision-datasets',
          unfit_projects: 'refuse',
        }),
      ]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('counts episodes by kind and decision, and lets a pinned kind win until it is taken back', async () => {
    const { call, project } = await begin();
    await addEpisodes(store, call.actor.tenant_id, project.id, [
      { kind: 'teleop', decision: 'accept', receipt: said(['camera top', 'joint states']) },
      { kind: 'teleop', decision: 'review', receipt: said(['camera top', 'joint states, newest']) },
      { kind: 'state-only', decision: 'reject', receipt: said(['no camera']) },
    ]);
    const seen = await getProject(store, call, { project_id: project.id });
    expect(seen).toMatchObject({
      episodes: 3,
      decisions: { accept: 1, review: 1, reject: 1 },
      data_kind: {
        effective: 'teleop',
        from: 'derived',
        counts: [
          { kind: 'teleop', episodes: 2 },
          { kind: 'state-only', episodes: 1 },
        ],
      },
    });
    const pinned = await setDataKind(store, call, { project_id: project.id, kind: 'drive-log' });
    expect(pinned).toMatchObject({
      effective: 'drive-log',
      from: 'pinned',
      derived: 'teleop',
      judged_as_another_kind: 3,
      examples: [
        { kind: 'teleop', evidence: ['camera top', 'joint states, newest'] },
        { kind: 'state-only', evidence: ['no camera'] },
      ],
    });
    expect(pinned.notes.join('; ')).toMatch(
      /2 of 3 episodes look like teleop.*new run.*data is usually teleop/s,
    );
    const back = await setDataKind(store, call, { project_id: project.id, kind: null });
    expect(back).toMatchObject({ effective: 'teleop', from: 'derived', judged_as_another_kind: 0 });
  });

  it('keeps what episodes are by their streams when a pinned run judged them as another kind', async () => {
    const { call, project } = await begin();
    await addEpisodes(store, call.actor.tenant_id, project.id, [
      {
        kind: 'drive-log',
        derived_kind: 'teleop',
        decision: 'accept',
        receipt: said(['set by hand; the streams say teleop', 'camera top']),
      },
    ]);
    const kind = await setDataKind(store, call, { project_id: project.id, kind: null });
    expect(kind).toMatchObject({
      effective: 'teleop',
      judged_as_another_kind: 1,
      examples: [{ kind: 'teleop', evidence: ['camera top'] }],
    });
  });

  it('shows formats that do not fit with their reason, and recommends the target’s own', async () => {
    const { call, project, workspace } = await begin('robotic-manipulation', 'detector');
    const before = await getProjectFormats(store, call, { project_id: project.id });
    expect(before.export_formats.filter(({ recommended }) => recommended).map(({ id }) => id)).toEqual([
      'coco-detection',
    ]);
    expect(before.source_formats.find(({ id }) => id === 'ulog')).toMatchObject({
      fits: false,
      readable: true,
    });
    await addEpisodes(store, call.actor.tenant_id, project.id, [
      { kind: 'state-only', decision: 'accept', receipt: said(['no camera']) },
    ]);
    const formats = await getProjectFormats(store, call, { project_id: project.id });
    expect(formats.data_kind).toBe('state-only');
    expect(formats.export_formats.find(({ id }) => id === 'coco-detection')).toMatchObject({
      fits: false,
      recommended: false,
      reason: expect.stringContaining('no camera'),
    });
    expect(formats.source_formats.find(({ id }) => id === 'lerobot')).toMatchObject({
      episodes: 1,
      fits: true,
    });
    await setUseCase(store, call, {
      workspace_id: workspace.id,
      use_case: 'data-assessment',
      unfit_projects: 'refuse',
    });
    const sealed = await getProjectFormats(store, call, { project_id: project.id });
    expect(sealed.export_formats.every(({ fits }) => !fits)).toBe(true);
  });

  it('deletes what is empty and nothing else', async () => {
    const { call, workspace, project } = await begin();
    const ofWorkspace = { workspace_id: workspace.id };
    await expect(deleteWorkspace(store, call, ofWorkspace)).rejects.toMatchObject({ code: 'conflict' });
    await store.database.sql.insert(tables.sources).values({
      tenant_id: call.actor.tenant_id,
      id: newId('src'),
      project_id: project.id,
      name: 'folder',
      location: { kind: 'folder', path: '/data' },
      state: 'ready',
      created_at: call.now,
      created_by: 'tok',
    });
    const ofProject = { project_id: project.id };
    await expect(deleteProject(store, call, ofProject)).rejects.toMatchObject({ code: 'conflict' });
    await store.database.sql.delete(tables.sources);
    await deleteProject(store, call, ofProject);
    await expect(getProject(store, call, ofProject)).rejects.toMatchObject({ code: 'not_found' });
    await deleteWorkspace(store, call, ofWorkspace);
  });

  it('pages through lists newest first, also of one workspace', async () => {
    const { call, workspace, project } = await begin();
    const other = await createWorkspace(store, call, { name: 'other', use_case: 'drones-aerial' });
    const second = await createProject(store, call, {
      workspace_id: other.id,
      name: 'flights',
      target_profile: 'detector',
    });
    const first = await listProjects(store, call, { limit: 1 });
    expect(first.items.map(({ id }) => id)).toEqual([second.id]);
    const rest = await listProjects(store, call, { limit: 1, cursor: first.next_cursor! });
    expect(rest).toMatchObject({ items: [{ id: project.id }], next_cursor: null });
    const own = await listProjects(store, call, { limit: 10, workspace_id: workspace.id });
    expect(own.items.map(({ id }) => id)).toEqual([project.id]);
    const workspaces = await listWorkspaces(store, call, { limit: 10 });
    expect(workspaces.items.map(({ id }) => id)).toEqual([other.id, workspace.id]);
  });

  it('answers another tenant as if nothing were there', async () => {
    const { workspace, project } = await begin();
    const stranger = callAs('admin');
    const ids = { workspace_id: workspace.id, project_id: project.id };
    const attempts: (() => Promise<unknown>)[] = [
      () => getProject(store, stranger, ids),
      () => getProjectFormats(store, stranger, ids),
      () => updateProject(store, stranger, { ...ids, name: 'mine' }),
      () => setDataKind(store, stranger, { ...ids, kind: 'teleop' }),
      () => deleteProject(store, stranger, ids),
      () => updateWorkspace(store, stranger, { ...ids, name: 'mine' }),
      () => setUseCase(store, stranger, { ...ids, use_case: 'drones-aerial', unfit_projects: 'keep' }),
      () => deleteWorkspace(store, stranger, ids),
      () => createProject(store, stranger, { ...ids, name: 'x', target_profile: 'vla' }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    expect((await listProjects(store, stranger, { limit: 5, workspace_id: workspace.id })).items).toEqual([]);
  });

  it('lets no viewer write', async () => {
    const { call, workspace, project } = await begin();
    const viewer = callAs('reviewer', call.actor.tenant_id);
    const ids = { workspace_id: workspace.id, project_id: project.id };
    for (const attempt of [
      () => createWorkspace(store, viewer, { name: 'x', use_case: 'drones-aerial' }),
      () => updateProject(store, viewer, { ...ids, name: 'x' }),
      () => setDataKind(store, viewer, { ...ids, kind: null }),
      () => setUseCase(store, viewer, { ...ids, use_case: 'drones-aerial', unfit_projects: 'keep' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('writes a row in the audit log for a change, and none where nothing changed', async () => {
    const { call, workspace, project } = await begin();
    await updateWorkspace(store, call, { workspace_id: workspace.id, name: 'lab' });
    await setDataKind(store, call, { project_id: project.id, kind: null });
    await setDataKind(store, call, { project_id: project.id, kind: 'egocentric' });
    const admin = callAs('admin', call.actor.tenant_id);
    const { items } = await listAudit(store, admin, { limit: 50 });
    expect(items.map(({ action }) => action)).toEqual([
      'set_data_kind',
      'create_project',
      'create_workspace',
    ]);
    expect(items[0]).toMatchObject({ object_id: project.id, request_id: call.request_id });
    expect(items[0].before_hash).not.toBe(items[0].after_hash);
  });
});

/** The part of a receipt that tells of the kind. */
const said = (evidence: readonly string[]) => ({ kind: { evidence } });
