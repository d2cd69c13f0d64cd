import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateNumericSet } from '../../../bench/lerobot/generate-set.ts';
import { openRunService, type RunService } from '../../../test/support/run-service.ts';
import { testDatabases } from '../../../test/support/service-store.ts';
import { cancelJob, enqueueJob, getJob, setAnnotationSettings, startRun } from '../index.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-jobs-'));
const recordings = join(place, 'set');
beforeAll(() => generateNumericSet(recordings, 120));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(testDatabases)('annotation jobs on the %s database', (on) => {
  let service: RunService;
  let project_id: string;
  beforeAll(async () => {
    service = await openRunService({ on, roots: [place] });
    ({ project_id } = service);
    const { store, call } = service;
    const source_id = await service.source(recordings);
    await service.ended((await startRun(store, call, { project_id, source_id })).id);
  }, 120_000);
  afterAll(() => service.close());

  const enqueue = (more: Partial<Parameters<typeof enqueueJob>[2]> = {}) =>
    enqueueJob(service.store, service.call, { project_id, layer: 'segments', force: true, ...more });
  const ended = async (job_id: string) => {
    for (;;) {
      const job = await getJob(service.store, service.call, { project_id, job_id });
      if (!['queued', 'running', 'cancelling'].includes(job.status)) return job;
      await wait(20);
    }
  };

  it('annotate every episode once', async () => {
    const { job, is_new } = await enqueue();
    expect(is_new).toBe(true);
    const done = await ended(job.id);
    expect(done).toMatchObject({ status: 'succeeded', episodes: { total: 120, done: 120, failed: 0 } });
  });
});
