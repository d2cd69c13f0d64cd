import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addEpisodes } from '#test/support/episode-rows';
import { type JoinedService, joinRunService, openRunService } from '#test/support/run-service';
import { serviceDatabases } from '#test/support/service-store';
import { generateNumericSet } from '../../../../bench/lerobot/generate-set.ts';
import { cancelJob, enqueueJob, getAnnotationStatus, setAnnotationSettings, startRun } from '../index.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-status-'));
beforeAll(() => generateNumericSet(join(place, 'set'), 20));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(serviceDatabases)('annotation status on the %s database', (on) => {
  const statusOf = async ({ store, call, project_id }: JoinedService) => {
    const { layers, ...rest } = await getAnnotationStatus(store, call, { project_id });
    return { ...rest, of: Object.fromEntries(layers.map((layer) => [layer.layer, layer])) };
  };

  it('tells which layers the latest run did that ended', async () => {
    const service = await joinRunService({ on, roots: [place] });
    const { store, call, project_id } = service;
    const status = () => statusOf(service);
    const source_id = await service.source(join(place, 'set'));
    const run = async () => service.ended((await startRun(store, call, { project_id, source_id })).id);
    const modes = { segments: 'on_demand' } as const;
    await setAnnotationSettings(store, call, { project_id, modes });
    const first = await run();
    expect(await status()).toMatchObject({
      episodes: 20,
      last_run: { id: first.id, finished_at: first.finished_at },
      of: {
        metadata: { state: 'ran', covered_episodes: 20, ran_in_last_run: true, job_id: null },
        segments: { state: 'on_demand', covered_episodes: 0, ran_in_last_run: false },
      },
    });
    await setAnnotationSettings(store, call, { project_id, modes: { metadata: 'on_demand' } });
    const second = await run();
    expect(await status()).toMatchObject({
      last_run: { id: second.id },
      of: {
        metadata: { state: 'ran', covered_episodes: 20, ran_in_last_run: false },
        segments: { state: 'ran', covered_episodes: 20, ran_in_last_run: true },
      },
    });
  }, 120_000);

  it('names the job of a layer until it has ended', async () => {
    const service = await openRunService({ on, roots: [place], works: false });
    onTestFinished(() => service.close());
    const { store, call, project_id } = service;
    await addEpisodes(store, call.actor.tenant_id, project_id, [{}, {}]);
    const { job } = await enqueueJob(store, call, { project_id, layer: 'segments', force: false });
    expect((await statusOf(service)).of).toMatchObject({
      segments: { state: 'planned', job_id: job.id, reason: expect.stringMatching(/a job is queued/) },
      metadata: { job_id: null },
    });
    await cancelJob(store, call, { project_id, job_id: job.id });
    expect((await statusOf(service)).of.segments).toMatchObject({ state: 'planned', job_id: null });
  }, 120_000);
});
