import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#core';
import { addEpisodes } from '#test/support/episode-rows';
import { availableDatabases, openTestStore, type TestStore } from '#test/support/service-store';
import { jobs } from '../schema/jobs.ts';
import type { StoredEstimate } from '../schema/stored-estimate.ts';
import { readPictureMeans } from './annotation/annotation-inputs.ts';
import { readMeasuredRates } from './measured-rates.ts';

type JobColumns = typeof jobs.$inferInsert;

const estimate = (planned_s: number): StoredEstimate => ({
  ...{ compute_s: planned_s, low_s: planned_s / 4, high_s: planned_s * 4, basis: 'planned', samples: 0 },
  ...{ device: 'cpu', planned_s, work: 'depth abc', family: 'depth model', size_class: -2 },
});

const endedJob = (planned_s: number, compute_s: number, more: Partial<JobColumns> = {}): JobColumns => ({
  ...{ tenant_id: 'tnt_1', id: newId('job'), project_id: 'prj_1', layer: 'depth', origin: 'queue' },
  ...{ status: 'succeeded', config: {}, config_hash: 'abc', force: false, attempts: 1 },
  ...{ total: 10, done: 10, failed: 0, skipped: 0, reserved_usd: 0, estimate_usd: 0 },
  ...{ compute_s, uncharged_s: 0, price_usd_per_s: 0, estimate: estimate(planned_s) },
  ...{ created_by: 'test', created_at: new Date(), finished_at: new Date() },
  ...more,
});

describe.each(availableDatabases)('measured rates on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());
  beforeEach(() => store.database.query('DELETE FROM jobs'));

  const add = (...rows: JobColumns[]) => store.database.sql.insert(jobs).values(rows);
  const rates = (tenant_id = 'tnt_1') => readMeasuredRates(store.database, tenant_id);

  it('are those of the tenant alone', async () => {
    await add(endedJob(10, 30), endedJob(10, 900, { tenant_id: 'tnt_2' }));
    expect(await rates()).toMatchObject([{ samples: 1, median: 3, device: 'cpu', work: 'depth abc' }]);
    expect(await rates('tnt_3')).toEqual([]);
  });

  it('are those of long jobs, however many short ones there are', async () => {
    const short = Array.from({ length: 20 }, () => endedJob(0.001, 0.05));
    await add(...short, ...[200, 250, 300].map((compute_s) => endedJob(100, compute_s)));
    expect(await rates()).toMatchObject([{ samples: 23, low: 2, median: 2.5, high: 3 }]);
  });

  it('do not exceed a hundred times the plan, nor a hundredth of it', async () => {
    await add(endedJob(0.001, 50), endedJob(10, 0.001, { run_id: 'run_1' }));
    const medians = (await rates()).map(({ in_run, median }) => [in_run, median]);
    expect(medians).toEqual([
      [false, 100],
      [true, 0.01],
    ]);
  });

  it('leave out jobs that failed on most episodes or planned nothing', async () => {
    const failed = { status: 'partial', total: 100, done: 10, failed: 90 } as const;
    await add(endedJob(100, 5, failed), endedJob(0, 5), endedJob(10, 0), endedJob(10, 5, { estimate: null }));
    expect(await rates()).toEqual([]);
    await add(endedJob(100, 91, { status: 'partial', total: 100, done: 95, failed: 5 }));
    expect(await rates()).toMatchObject([{ samples: 1, median: 0.91 }]);
  });

  it('count what was finished of a job', async () => {
    await add(endedJob(100, 150, { status: 'partial', total: 100, done: 50, skipped: 50 }));
    expect(await rates()).toMatchObject([{ planned_s: 50, median: 3 }]);
  });

  it('assume 30 pictures a second of each camera for episodes without a stored number', async () => {
    const rows = [
      { duration_s: 10, cameras: 2 },
      { duration_s: 10, cameras: 0 },
    ];
    await addEpisodes(store, 'tnt_1', 'prj_old', rows);
    expect(await readPictureMeans(store.database, 'tnt_1', 'prj_old')).toEqual({
      pictures: 300,
      picture_mpx: null,
    });
  });
});
