import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatPrices, searchQuerySchema } from '#core/api';
import { addEpisodes } from '#test/support/episode-rows';
import { type JoinedService, joinRunService, openRunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { serviceDatabases } from '#test/support/service-store';
import { writeTinyRecordings } from '#test/support/tiny-recordings';
import {
  annotateEpisode,
  cancelJob,
  createProject,
  createWorkspace,
  editDenseText,
  enqueueJob,
  getBudget,
  getEpisode,
  getEpisodeAnnotation,
  getJob,
  listAnnotationEdits,
  listAudit,
  listEpisodeAnnotations,
  listEpisodes,
  listJobs,
  searchProject,
  setAnnotationSettings,
  setBudget,
  startRun,
  verifyAudit,
} from '../index.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-annotate-'));
beforeAll(() => writeTinyRecordings(place));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const patient = { signal: new AbortController().signal };

describe.each(serviceDatabases)('one layer on one episode, on the %s database', (on) => {
  let service: JoinedService;
  let project_id: string;
  let episodes: readonly string[];
  beforeAll(async () => {
    service = await joinRunService({ on, roots: [place] });
    ({ project_id } = service);
    const { store, call } = service;
    const source_id = await service.source(place);
    await service.ended((await startRun(store, call, { project_id, source_id })).id);
    const { items } = await listEpisodes(store, call, { project_id, limit: 10, sort: 'name' });
    episodes = items.map(({ id }) => id);
  }, 120_000);

  const as = (role: Parameters<typeof callAs>[0]) => callAs(role, service.call.actor.tenant_id);
  type Wish = Partial<Parameters<typeof annotateEpisode>[2]>;
  const wish = (more: Wish = {}) =>
    ({ project_id, episode_id: episodes[0], layer: 'metadata', force: true, ...more }) as const;
  const annotate = (more: Wish = {}, waiting: Parameters<typeof annotateEpisode>[3] = patient) =>
    annotateEpisode(service.store, service.call, wish(more), waiting);
  const read = (layer: Wish['layer'] & string, more: Wish = {}) =>
    getEpisodeAnnotation(service.store, as('viewer'), { ...wish(more), layer });
  const jobsOfEpisodes = async () => {
    const { items } = await listJobs(service.store, service.call, { project_id, limit: 500 });
    return items.filter(({ origin }) => origin === 'episode');
  };
  const change = async (text: string, values: readonly unknown[]) => {
    expect((await service.store.database.query(text, values)).rowCount).toBeGreaterThan(0);
  };

  it('is answered with what the layer says, which can then be read', async () => {
    const made = await annotate();
    expect(made).toMatchObject({ episode_id: episodes[0], layer: 'metadata', edit: null });
    expect(made.machine).toMatchObject({
      artifact: { schema: 'assay/metadata/v1' },
      media_type: 'application/json',
      run_id: null,
      quality: { signal: 'filled_fraction', reason: null },
    });
    expect(await read('metadata')).toEqual(made);
    const job = await getJob(service.store, service.call, { project_id, job_id: made.machine?.job_id ?? '' });
    expect(job).toMatchObject({ origin: 'episode', status: 'succeeded', episodes: { total: 1, done: 1 } });
    const { items } = await listAudit(service.store, as('admin'), { limit: 1 });
    expect(items[0]).toMatchObject({ action: 'annotate_episode', object_id: episodes[0] });
  });

  it('gives the same bytes for the same knobs, and others for others', async () => {
    const first = await annotate({ layer: 'segments' });
    const again = await annotate({ layer: 'segments' });
    const other = await annotate({ layer: 'segments', config: { max_segments: 1 } });
    expect(again.machine?.artifact_hash).toBe(first.machine?.artifact_hash);
    expect(other.machine?.config_hash).not.toBe(first.machine?.config_hash);
    expect(other.machine?.counts).toMatchObject({ segments: 1 });
  });

  it('is done once for all who ask at once', async () => {
    const before = (await jobsOfEpisodes()).length;
    const all = await Promise.all(Array.from({ length: 12 }, () => annotate({ episode_id: episodes[1] })));
    expect(new Set(all.map(({ machine }) => machine?.artifact_hash)).size).toBe(1);
    // Whoever comes after its end asks for another; that all twelve did would be no joining.
    expect((await jobsOfEpisodes()).length - before).toBeLessThan(12);
    await expect(annotate({ episode_id: episodes[1], force: false })).rejects.toMatchObject({
      code: 'already_produced',
      details: { already_produced: { layer: 'metadata', episodes: 1 } },
    });
  });

  it('goes on beside a job of the whole project', async () => {
    const [{ job }, one] = await Promise.all([
      enqueueJob(service.store, service.call, { project_id, layer: 'segments', force: true }),
      annotate({ layer: 'segments' }),
    ]);
    expect(job.origin).toBe('queue');
    expect(one.machine).not.toBeNull();
  });

  it('is refused as a job would be', async () => {
    const code = (more: Wish) =>
      annotate(more).then(
        () => null,
        (thrown) => thrown.code,
      );
    const before = (await jobsOfEpisodes()).length;
    expect(await code({ layer: 'representation_3d' })).toBe('layer_not_servable');
    expect(await code({ layer: 'depth' })).toBe('layer_unavailable');
    expect(await code({ layer: 'hand_pose' })).toBe('layer_inapplicable');
    expect(await code({ episode_id: 'ep_01k5w3p9x4f6zv2h7c8d0aqrst' })).toBe('not_found');
    const set = (modes: Record<string, 'off'>) =>
      setAnnotationSettings(service.store, service.call, { project_id, modes });
    await set({ segments: 'off' });
    await expect(annotate({ layer: 'segments' })).rejects.toMatchObject({
      code: 'layer_off',
      details: { setting: 'modes.segments' },
    });
    await set({});
    await expect(annotateEpisode(service.store, as('reviewer'), wish(), patient)).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect((await jobsOfEpisodes()).length).toBe(before);
  });

  it('is refused where it would take longer than a request waits, before anything is reserved', async () => {
    const long = (seconds: number) =>
      change('UPDATE episodes SET duration_s = $1 WHERE id = $2', [seconds, episodes[0]]);
    const { rows } = await service.store.database.query('SELECT duration_s FROM episodes WHERE id = $1', [
      episodes[0],
    ]);
    const before = (await jobsOfEpisodes()).length;
    await long(1_000_000);
    await expect(annotate()).rejects.toMatchObject({
      code: 'too_long_to_wait',
      advice: expect.stringContaining('/annotation/jobs'),
      details: { longest_s: 60 },
    });
    expect((await jobsOfEpisodes()).length).toBe(before);
    await long(rows[0].duration_s);
  });

  it('knows no episode of another project or tenant', async () => {
    const { store, call } = service;
    const workspace = await createWorkspace(store, call, { name: 'other', use_case: 'data-assessment' });
    const made = { workspace_id: workspace.id, name: 'empty', target_profile: 'vla' } as const;
    const other = await createProject(store, call, made);
    const foreign = callAs('admin');
    const of = { project_id: other.id, episode_id: episodes[0] };
    const asked = [
      () => annotate({ project_id: other.id }),
      () => annotateEpisode(store, foreign, wish(), patient),
      () => getEpisodeAnnotation(store, call, { ...of, layer: 'metadata' }),
      () => getEpisodeAnnotation(store, foreign, { ...wish(), layer: 'metadata' }),
      () => listEpisodeAnnotations(store, call, of),
      () => listEpisodeAnnotations(store, foreign, wish()),
      () => editDenseText(store, call, { ...of, text: 'no' }),
      () => editDenseText(store, foreign, { ...wish(), text: 'no' }),
    ];
    for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('that cannot be read is refused with the reason', async () => {
    const { rows } = await service.store.database.query('SELECT shard_place FROM episodes WHERE id = $1', [
      episodes[1],
    ]);
    const put = (at: number) =>
      change('UPDATE episodes SET shard_place = $1 WHERE id = $2', [at, episodes[1]]);
    await put(100_000);
    await expect(annotate({ episode_id: episodes[1] })).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringContaining('metadata failed on the episode'),
      details: { job_id: expect.stringMatching(/^job_/) },
    });
    await put(rows[0].shard_place);
    // What was there before is untouched.
    expect((await read('metadata', { episode_id: episodes[1] })).machine).not.toBeNull();
  });

  it('is told from one whose stored bytes were spoiled or lost, and made again', async () => {
    const { machine } = await annotate();
    const hash = machine?.artifact_hash;
    await change('UPDATE annotations SET artifact_offset = artifact_offset + 1 WHERE artifact_hash = $1', [
      hash,
    ]);
    await expect(read('metadata')).rejects.toMatchObject({
      code: 'hash_mismatch',
      advice: expect.stringContaining('{"force": true}'),
    });
    await change(`UPDATE annotations SET artifact_blob = 'nowhere/at/all' WHERE artifact_hash = $1`, [hash]);
    await expect(read('metadata')).rejects.toMatchObject({ code: 'not_found' });
    expect((await annotate()).machine?.artifact_hash).toBe(hash);
    expect((await read('metadata')).machine?.artifact).toEqual(machine?.artifact);
  });

  it('that was not run is absent, with the ways to get it', async () => {
    await expect(read('dense_text')).rejects.toMatchObject({
      code: 'not_found',
      message: 'the episode has no dense_text annotation',
      advice: expect.stringMatching(/POST .*annotations\/dense_text.*PUT/),
    });
    await expect(read('representation_3d')).rejects.toMatchObject({
      advice: expect.stringContaining('this layer is not supported'),
    });
  });

  it('stops nothing where the wait ends first: the job’s id is answered, and the same request joins it', async () => {
    const idle = await openRunService({ on, roots: [place], works: false });
    try {
      const { store, call } = idle;
      const [episode_id] = await addEpisodes(store, call.actor.tenant_id, idle.project_id, [
        { kind: 'teleop' },
      ]);
      const asked = wish({ project_id: idle.project_id, episode_id });
      const first = await annotateEpisode(store, call, asked, { ...patient, maxWait_s: 0.3 }).catch((e) => e);
      expect(first).toMatchObject({
        code: 'busy',
        details: { job_id: expect.stringMatching(/^job_/), retry_after_s: 10 },
      });
      const stop = new AbortController();
      const second = annotateEpisode(store, call, asked, { signal: stop.signal }).catch((e) => e);
      const other = annotateEpisode(store, call, { ...asked, layer: 'segments' }, { signal: stop.signal });
      const gone = other.catch((e) => e);
      setTimeout(() => stop.abort(), 200);
      expect((await second).details.job_id).toBe(first.details.job_id);
      expect((await gone).details.job_id).not.toBe(first.details.job_id);
      const third = annotateEpisode(store, call, asked, patient).catch((e) => e);
      await new Promise((resolve) => setTimeout(resolve, 200));
      const { job_id } = first.details;
      await cancelJob(store, call, { project_id: idle.project_id, job_id });
      expect(await third).toMatchObject({ code: 'conflict', details: { job_id } });
    } finally {
      await idle.close();
    }
  });

  it('is paid for, and refused where the budget leaves no room', async () => {
    const { store } = service;
    const priced = { ...store, prices: flatPrices(0.01) };
    const made = await annotateEpisode(priced, service.call, wish(), patient);
    // The cost is stored with six decimal places.
    expect(made.machine?.cost_usd).toBeCloseTo((made.machine?.compute_s ?? 0) * 0.01, 5);
    expect(await getBudget(store, as('viewer'))).toMatchObject({ reserved_usd: 0 });
    await setBudget(store, as('admin'), { cap_usd: 0 });
    await expect(annotateEpisode(priced, service.call, wish(), patient)).rejects.toMatchObject({
      code: 'budget_exceeded',
    });
    await setBudget(store, as('admin'), { cap_usd: null });
  });

  it('keeps a person’s text beside the machine’s, with its history', async () => {
    const { store } = service;
    const edit = (text: string, call = as('reviewer')) =>
      editDenseText(store, call, { project_id, episode_id: episodes[0], text });
    const edits = async () =>
      (
        await store.database.query(
          'SELECT text, artifact_hash FROM annotation_edits WHERE tenant_id = $1 AND episode_id = $2 ORDER BY id',
          [service.call.actor.tenant_id, episodes[0]],
        )
      ).rows;
    await expect(edit('no', as('viewer'))).rejects.toMatchObject({ code: 'forbidden' });
    const first = await edit('The arm waits.');
    expect(first).toMatchObject({ machine: null, edit: { text: 'The arm waits.', artifact_hash: null } });
    await edit('The arm waits.');
    expect(await edits()).toHaveLength(1);
    await annotate({ layer: 'dense_text' });
    const machine = (await read('dense_text')).machine;
    expect(machine?.artifact).toMatchObject({ schema: 'assay/dense-text/v1', style: 'chronological' });
    const second = await edit('The arm waits.\nThen it grasps — twice.');
    expect(second.machine).toEqual(machine);
    expect(second.edit?.artifact_hash).toBe(machine?.artifact_hash);
    expect(await read('dense_text')).toEqual(second);
    expect(await edits()).toEqual([
      { text: 'The arm waits.', artifact_hash: null },
      { text: 'The arm waits.\nThen it grasps — twice.', artifact_hash: machine?.artifact_hash },
    ]);
    const { items } = await listEpisodeAnnotations(store, as('viewer'), {
      project_id,
      episode_id: episodes[0],
    });
    expect(items.map(({ layer, edited }) => [layer, edited !== null])).toEqual([
      ['metadata', false],
      ['captions', false],
      ['segments', false],
      ['dense_text', true],
    ]);
    const log = await listAudit(store, as('admin'), { limit: 2 });
    expect(log.items.map(({ action }) => action)).toContain('edit_dense_text');
    const stale = { project_id, episode_id: episodes[0], text: 'Mine.', over: first.edit?.id };
    await expect(editDenseText(store, as('reviewer'), stale)).rejects.toMatchObject({
      code: 'conflict',
      details: { edit_id: second.edit?.id },
    });
    const unseen = { ...stale, over: null };
    await expect(editDenseText(store, as('reviewer'), unseen)).rejects.toMatchObject({ code: 'conflict' });
    const third = await editDenseText(store, as('reviewer'), { ...stale, over: second.edit?.id });
    const listed = { project_id, episode_id: episodes[0], layer: 'dense_text', limit: 2 } as const;
    const page = await listAnnotationEdits(store, as('viewer'), listed);
    expect(page.items).toEqual([third.edit, second.edit]);
    const cursor = page.next_cursor ?? '';
    const rest = await listAnnotationEdits(store, as('viewer'), { ...listed, cursor });
    expect(rest).toEqual({ items: [first.edit], next_cursor: null });
    expect(await verifyAudit(store, as('admin'))).toMatchObject({ intact: true });
  });

  it('lets search find an episode by what its captions and dense text say, a person’s words before the machine’s', async () => {
    const { store } = service;
    const found = async (text: string) => {
      const asked = searchQuerySchema.parse({ rank: { by: 'text', text } });
      const { items } = await searchProject(store, service.call, { project_id, limit: 50, ...asked });
      return items.filter(({ episode }) => episode.id === episodes[0]).length;
    };
    const { artifact } = (await annotate({ layer: 'captions' })).machine ?? {};
    const { windows } = artifact as { windows: { text: string }[] };
    const words = windows.flatMap(({ text }) => text.split(/[^a-z]+/i)).filter((word) => word.length > 3);
    const { task } = await getEpisode(store, service.call, { episode_id: episodes[0] });
    const own = words.find((word) => !task?.toLowerCase().includes(word.toLowerCase()));
    expect([own, await found(String(own))]).toEqual([expect.any(String), 1]);
    expect(await found('unheardof')).toBe(0);
    await annotate({ layer: 'dense_text' });
    const text = 'A gripper, unheardof and green.';
    await editDenseText(store, as('reviewer'), { project_id, episode_id: episodes[0], text });
    expect(await found('unheardof')).toBe(1);
    await store.database.query('DELETE FROM annotations WHERE episode_id = $1', [episodes[0]]);
    expect(await found(String(own))).toBe(0);
    await annotate({ layer: 'dense_text' });
    expect(await found('unheardof')).toBe(1);
    await store.database.query('DELETE FROM annotations WHERE episode_id = $1', [episodes[0]]);
    await store.database.query('DELETE FROM annotation_edits WHERE episode_id = $1', [episodes[0]]);
  });
});
