import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import { newId, seededRandom } from '#core';
import type { FailureRecord } from '#core/api';
import { temporaryFolder } from '#test/support/lerobot-set';
import { readEverything } from '#test/support/read-dataset';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { serviceDatabases } from '#test/support/service-store';
import {
  closeFrameService,
  closeLoop,
  diffSlices,
  getExport,
  getExportLineage,
  getFailureImport,
  getSlice,
  importFailures,
  listAudit,
  listEpisodes,
  listFailures,
  listSliceMembers,
  sealExport,
  startRun,
} from '../index.ts';

const usual = { neighbours: 3, novel_from: 0.95 };
let recordings: string;
let records: FailureRecord[];

beforeAll(async () => {
  recordings = await temporaryFolder();
  const quiet = () => {};
  await writeTeleopLeRobot(join(recordings, 'set'), 3, quiet, {
    episodes: 14,
    plan: { 2: ['nan', 'medium'] },
  });
  await writeTeleopMcap(join(recordings, 'rollouts'), 9, quiet, { episodes: 3, plan: {}, succeeded: false });
  records = await recordsOf(join(recordings, 'set'));
}, 240_000);

/** An attempt that goes as a demonstration does, one that goes nowhere near any, and two without a trajectory. */
async function recordsOf(set: string): Promise<FailureRecord[]> {
  const { sets } = await readEverything(set);
  const { streams } = sets[0].episodes[5];
  const { series } = streams.find(({ role }) => role === 'state')!;
  const { values, dims } = series!;
  const state = Array.from({ length: values.length / dims }, (_, i) =>
    Array.from(values.subarray(i * dims, (i + 1) * dims), (value) => value * 1.01),
  );
  const random = seededRandom(5);
  const walk = state.map(() => Array.from({ length: dims }, () => 100 * random.normal()));
  return [
    { id: 'slipped', failure_mode: 'gripper_slip', time_s: 2.5, trajectory: { rate_hz: 30, state } },
    { id: 'lost', failure_mode: 'drift', trajectory: { rate_hz: 30, state: walk } },
    { id: 'named', task: sets[0].episodes[0].tasks![0].text },
    { id: 'unsaid' },
  ];
}

describe.each(serviceDatabases)('failures on the %s database', (on) => {
  let service: JoinedService;
  let ids: Map<string, string>;
  beforeAll(async () => {
    service = await joinRunService({ on, roots: [recordings] });
    await judge('set');
    await service.allowExports();
    const { store, call, project_id } = service;
    const { items } = await listEpisodes(store, call, { project_id, sort: 'name', limit: 50 });
    ids = new Map(items.map(({ id, name }) => [name, id]));
  }, 240_000);
  afterAll(() => closeFrameService(service.store));

  const judge = async (folder: string) => {
    const { store, call, project_id } = service;
    const source_id = await service.source(join(recordings, folder));
    const { id } = await startRun(store, call, { project_id, source_id });
    expect(await service.ended(id)).toMatchObject({ status: 'succeeded' });
    return source_id;
  };
  const bring = (input: object) =>
    importFailures(service.store, callAs('reviewer', service.call.actor.tenant_id), {
      project_id: service.project_id,
      ...usual,
      ...input,
    });
  const listed = async (import_id: string) => {
    const { store, call, project_id } = service;
    const { items } = await listFailures(store, call, { project_id, import_id, limit: 50 });
    return new Map(items.map((one) => [one.record_id, one]));
  };

  it('says what is near the data, what is out of it, and what cannot be said', async () => {
    const made = await bring({ records });
    expect(made).toMatchObject({ failures: 4, near: 2, novel: 1, not_assessable: 1 });
    // One of the fourteen is rejected.
    expect(made.baseline.episodes).toBe(13);
    const found = await listed(made.id);
    expect(found.get('slipped')).toMatchObject({ verdict: 'near', by: 'motion', time_s: 2.5 });
    expect(found.get('slipped')!.nearest[0].episode_id).toBe(ids.get('episode_000005'));
    expect(found.get('lost')).toMatchObject({ verdict: 'novel', novelty: 1, failure_mode: 'drift' });
    expect(found.get('named')).toMatchObject({ verdict: 'near', by: 'words', novelty: 0 });
    expect(found.get('unsaid')).toMatchObject({
      verdict: 'not_assessable',
      reason: 'the record has neither trajectory, episode nor task',
      novelty: null,
    });
    const { store, call, project_id } = service;
    expect(await getFailureImport(store, call, { project_id, import_id: made.id })).toEqual(made);
    const only = await listFailures(store, call, { project_id, verdict: 'novel', limit: 10 });
    expect(only.items.map(({ record_id }) => record_id)).toEqual(['lost']);
  });

  it('freezes the nearest episodes as a slice, which can be asked again', async () => {
    const made = await bring({ records: records.slice(0, 2) });
    const { store, call, project_id } = service;
    const key = { project_id, slice_id: made.slice_id! };
    const slice = await getSlice(store, call, key);
    expect(slice).toMatchObject({
      episodes: 3,
      query: { failures: { import_id: made.id, ...usual } },
      ranked_by: { id: 'failures', exact: true },
      coverage: { matched: 13, ranked: 3 },
    });
    const { items } = await listSliceMembers(store, call, { ...key, limit: 10 });
    expect(items[0].episode_id).toBe(ids.get('episode_000005'));
    expect(items.map(({ score }) => score)).toEqual(
      items.map(({ score }) => score).toSorted((a, b) => b! - a!),
    );
    const diff = await diffSlices(store, call, { ...key, limit: 10 });
    expect(diff).toMatchObject({
      both: 3,
      judged_again: 0,
      only_here: { episodes: 0 },
      only_there: { episodes: 0 },
    });
    const log = await listAudit(store, callAs('admin', call.actor.tenant_id), { limit: 10 });
    expect(log.items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['import_failures', 'create_slice']),
    );
  });

  it('curates again with them boosted, and stages an export that waits for a seal', async () => {
    const made = await bring({ records: records.slice(0, 2) });
    const { store, call, project_id } = service;
    const plan = { stages: [{ strategy: 'decision' }, { strategy: 'random', parameters: { keep: 0.3 } }] };
    const input = { project_id, import_id: made.id, plan, factor: 4, format: 'lerobot-v3' } as const;
    await expect(closeLoop(store, callAs('reviewer', call.actor.tenant_id), input)).rejects.toMatchObject({
      code: 'forbidden',
    });
    const closed = await closeLoop(store, call, input);
    expect(closed.curation.plan.stages.map(({ strategy }) => strategy)).toEqual([
      'decision',
      'failure_boost',
      'random',
    ]);
    expect(closed).toMatchObject({ import_id: made.id, boosted: 3, slice: { id: made.slice_id } });
    let staged = closed.export;
    while (staged.status === 'queued' || staged.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      staged = await getExport(store, call, { project_id, export_id: staged.id });
    }
    expect(staged).toMatchObject({
      status: 'succeeded',
      sealed_by: null,
      chosen: { curation_id: closed.curation.id },
    });
    const { json } = await getExportLineage(store, call, { project_id, export_id: staged.id });
    const lineage: { kept: { id: string }[] } = JSON.parse(Buffer.from(json).toString());
    const { items } = await listSliceMembers(store, call, {
      project_id,
      slice_id: made.slice_id!,
      limit: 10,
    });
    const kept = lineage.kept.map(({ id }) => ids.get(id));
    expect(kept).toEqual(expect.arrayContaining(items.map(({ episode_id }) => episode_id)));
    const sealed = await sealExport(store, callAs('reviewer', call.actor.tenant_id), {
      project_id,
      export_id: staged.id,
    });
    expect(sealed.status).toBe('sealed');
  });

  it('does not let an episode leave that holds a failure, nor compares it with itself', async () => {
    const made = await bring({ records: [{ id: 'again', episode: 'episode_000005' }] });
    const found = (await listed(made.id)).get('again')!;
    expect(found).toMatchObject({ episode_id: ids.get('episode_000005'), by: 'motion' });
    expect(found.nearest.map(({ episode_id }) => episode_id)).not.toContain(ids.get('episode_000005'));
    expect(made.baseline.episodes).toBe(12);
    await expect(bring({ records: [{ id: 'x', episode: 'none' }] })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('takes MCAP recordings as failures, and says why a trajectory cannot be compared', async () => {
    const made = await bring({ source_id: await judge('rollouts') });
    expect(made).toMatchObject({ failures: 3, not_assessable: 0 });
    const found = [...(await listed(made.id)).values()];
    expect(found.every(({ by, episode_id }) => by === 'motion' && episode_id !== null)).toBe(true);
    const state = [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ];
    const other = await bring({ records: [{ id: 'other arm', trajectory: { state } }] });
    expect(other).toMatchObject({ not_assessable: 1, slice_id: null });
    expect((await listed(other.id)).get('other arm')!.reason).toBe(
      '0 episodes can be compared with it by motion (state 3); at least 10 are required',
    );
    const { project_id, store, call } = service;
    const nothing = { project_id, import_id: other.id, factor: 2, format: 'lerobot-v3' } as const;
    await expect(closeLoop(store, call, nothing)).rejects.toMatchObject({ code: 'not_ready' });
  });

  it('refuses what names no failure or several, and shows another tenant nothing', async () => {
    await expect(bring({})).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(bring({ records, source_id: newId('src') })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(bring({ source_id: newId('src') })).rejects.toMatchObject({ code: 'not_found' });
    await expect(bring({ records: [records[0], records[0]] })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const file = { format: 'lerobot-eval', text: '{"per_episode": [{"episode_ix": 0, "success": true}]}' };
    await expect(bring({ file })).rejects.toThrow(/1 of 1 attempts succeeded/);
    const { id: import_id } = await bring({ records: [records[3]] });
    const stranger = callAs('admin', newId('tnt'));
    const { store, project_id } = service;
    await expect(getFailureImport(store, stranger, { project_id, import_id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(listFailures(store, stranger, { project_id, limit: 5 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
