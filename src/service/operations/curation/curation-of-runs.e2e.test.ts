import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { curationEpisodes, indexEpisodes } from '#engine/local';
import { resolvePlan, runPlan } from '#quality/curation';
import { temporaryFolder } from '#test/support/lerobot-set';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { serviceDatabases } from '#test/support/service-store';
import { closeFrameService, listEpisodes, previewCuration, recommendCuration, startRun } from '../index.ts';

let recordings: string;
beforeAll(async () => {
  recordings = await temporaryFolder();
  await writeTeleopLeRobot(join(recordings, 'set'), 3, () => {}, {
    episodes: 8,
    plan: { 2: ['nan', 'medium'] },
  });
}, 120_000);

const stages = [
  { strategy: 'decision', parameters: { keep: ['accept', 'review'] } },
  { strategy: 'exact_duplicate' },
  { strategy: 'demonstration_information', parameters: { keep: 0.8 } },
  { strategy: 'diversity', parameters: { by: 'action', keep: 0.7 } },
  { strategy: 'idle_trim', parameters: { least_s: 0.1 } },
];

describe.each(serviceDatabases)('curating what runs have measured on the %s database', (on) => {
  let service: JoinedService;
  let source_id: string;
  beforeAll(async () => {
    service = await joinRunService({ on, roots: [recordings] });
    source_id = await service.source(join(recordings, 'set'));
    await judge();
  }, 120_000);
  afterAll(() => closeFrameService(service.store));

  const judge = async () => {
    const { store, call, project_id } = service;
    const { id } = await startRun(store, call, { project_id, source_id });
    expect(await service.ended(id)).toMatchObject({ status: 'succeeded' });
  };
  const preview = () =>
    previewCuration(service.store, service.call, { project_id: service.project_id, seed: 5, stages });

  it('decides as a folder does, by the same hash, and names its episodes by their ids', async () => {
    const index = await indexEpisodes(join(recordings, 'set'), {});
    const local = runPlan(resolvePlan({ seed: 5, stages }), curationEpisodes(index));
    const served = await preview();
    expect(served.input_hash).toBe(local.input_hash);
    expect(served.plan_hash).toBe(local.plan_hash);
    expect(served.stages).toEqual(local.stages);
    expect(served.stages.map(({ not_assessable }) => not_assessable)).toEqual([0, 0, 0, 0, 0]);
    expect(served.after.action_coverage).toMatchObject({ status: 'measured' });
    const { store, call, project_id } = service;
    const { items } = await listEpisodes(store, call, { project_id, sort: 'name', limit: 50 });
    const ids = new Map(items.map(({ id, name }) => [name, id]));
    expect([...served.kept].sort()).toEqual(local.kept.map((name) => ids.get(name)).sort());
    expect(Object.keys(served.trims).sort()).toEqual(
      Object.keys(local.trims)
        .map((name) => ids.get(name))
        .sort(),
    );
  });

  it('samples again without a trace of the run before', async () => {
    const before = await preview();
    await judge();
    expect(await preview()).toEqual(before);
  });

  it('recommends by samples, and shows another tenant none of them', async () => {
    const { store, call, project_id } = service;
    const { reasons } = await recommendCuration(store, call, { project_id });
    expect(reasons.map(({ strategy }) => strategy)).toContain('exact_duplicate');
    await expect(previewCuration(store, callAs('engineer'), { project_id, stages })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
