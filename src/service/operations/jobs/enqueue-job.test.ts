import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatPrices } from '#core/api';
import { openQueue, type Store } from '#store';
import { addEpisodes, type TestEpisode } from '#test/support/episode-rows';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import type { Call } from '../call.ts';
import {
  cancelJob,
  createProject,
  createWorkspace,
  enqueueJob,
  getBudget,
  getJob,
  listAudit,
  listJobs,
  setAnnotationSettings,
  setBudget,
} from '../index.ts';

const cup = { duration_s: 10, cameras: 1 };

/** Adds what the ledger stands at to a log, as each transaction that touches it commits. */
const watchLedger = `
  CREATE TABLE ledger_log (tenant_id text, usd numeric);
  CREATE FUNCTION log_ledger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO ledger_log SELECT NEW.tenant_id,
      coalesce((SELECT sum(amount_usd) FROM charges WHERE tenant_id = NEW.tenant_id), 0)
      + coalesce((SELECT sum(open_usd) FROM reservations WHERE tenant_id = NEW.tenant_id AND closed_at IS NULL), 0);
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER reservations_at_commit AFTER INSERT OR UPDATE ON reservations
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION log_ledger();
  CREATE CONSTRAINT TRIGGER charges_at_commit AFTER INSERT OR UPDATE ON charges
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION log_ledger();`;

describe.each(serviceDatabases)('queueing a layer, on the %s database', (on) => {
  let store: TestStore;
  let priced: Store;
  beforeAll(async () => {
    store = await openTestStore({ on, queue: (database) => openQueue(database, { worker: 'nobody' }) });
    const { database, blobs, queue, data_folder, source_access } = store;
    priced = { database, blobs, queue, data_folder, source_access, prices: flatPrices(1) };
    await database.query(watchLedger);
  }, 120_000);
  afterAll(() => store.close());

  const project = async (call: Call, episodes: readonly TestEpisode[], workspace_id?: string) => {
    const named = { name: 'lab', use_case: 'robotic-manipulation' };
    const workspace = workspace_id ?? (await createWorkspace(store, call, named)).id;
    const made = { workspace_id: workspace, name: 'p', target_profile: 'vla' } as const;
    const { id } = await createProject(store, call, made);
    return { id, episodes: await addEpisodes(store, call.actor.tenant_id, id, episodes) };
  };
  const queue = (call: Call, project_id: string, more: Partial<Parameters<typeof enqueueJob>[2]> = {}) =>
    enqueueJob(priced, call, { project_id, layer: 'segments', force: false, ...more });

  it('puts aside for exactly as many of sixty at once as the cap fits', async () => {
    const call = callAs('admin');
    const { id: workspace_id } = await createWorkspace(store, call, {
      name: 'lab',
      use_case: 'robotic-manipulation',
    });
    const projects: string[] = [];
    for (let n = 0; n < 60; n++) projects.push((await project(call, [cup], workspace_id)).id);
    const first = await queue(call, projects[0]);
    const each_usd = first.job.estimate_usd;
    expect(each_usd).toBeGreaterThan(0);
    await cancelJob(priced, call, { project_id: projects[0], job_id: first.job.id });
    const cap_usd = each_usd * 12.5;
    await setBudget(store, call, { cap_usd });
    const outcomes = await Promise.allSettled(projects.map((id) => queue(call, id)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'budget_exceeded' });
    expect([outcomes.length - refused.length, refused.length]).toEqual([12, 48]);
    const { rows } = await store.database.query(
      `SELECT max(usd)::float8 AS most, count(*)::int AS commits FROM ledger_log WHERE tenant_id = $1`,
      [call.actor.tenant_id],
    );
    expect(rows[0].most).toBeLessThanOrEqual(cap_usd);
    expect(rows[0].most).toBeCloseTo(each_usd * 12, 6);
    expect(rows[0].commits).toBeGreaterThanOrEqual(12);
    // What was refused left nothing behind.
    const left = await store.database.query(
      `SELECT (SELECT count(*) FROM jobs WHERE tenant_id = $1)::int AS jobs,
         (SELECT count(*) FROM reservations WHERE tenant_id = $1 AND closed_at IS NULL)::int AS reservations`,
      [call.actor.tenant_id],
    );
    expect(left.rows[0]).toEqual({ jobs: 13, reservations: 12 });
  }, 120_000);

  it('gives the job that is open instead of a second, also to many at once', async () => {
    const call = callAs('engineer');
    const { id } = await project(call, [cup, cup]);
    const all = await Promise.all(Array.from({ length: 20 }, () => queue(call, id)));
    expect(new Set(all.map(({ job }) => job.id)).size).toBe(1);
    expect(all.filter(({ is_new }) => is_new)).toHaveLength(1);
    expect(all[0].job).toMatchObject({
      status: 'queued',
      episodes: { total: 2, done: 0 },
      narrowed_from: null,
    });
    const other = await queue(call, id, { layer: 'metadata' });
    expect(other.is_new).toBe(true);
    const { items } = await listJobs(store, call, { project_id: id, limit: 50 });
    expect(items.map(({ layer }) => layer)).toEqual(['metadata', 'segments']);
  });

  it('gives back what was reserved for a job that is cancelled before anybody began it', async () => {
    const call = callAs('engineer');
    const { id: project_id } = await project(call, [cup]);
    const { job } = await queue(call, project_id);
    expect(await getBudget(priced, call)).toMatchObject({ reserved_usd: job.reserved_usd });
    const cancelled = await cancelJob(priced, call, { project_id, job_id: job.id });
    expect(cancelled).toMatchObject({ status: 'cancelled', episodes: { total: 1, done: 0, skipped: 1 } });
    expect(await getBudget(priced, call)).toMatchObject({ reserved_usd: 0, spent_usd: 0 });
    expect(await cancelJob(priced, call, { project_id, job_id: job.id })).toEqual(cancelled);
    const again = await queue(call, project_id);
    expect(again.job.id).not.toBe(job.id);
  });

  it('is refused where it would spend for nothing, saying what to do', async () => {
    const call = callAs('engineer');
    const { id } = await project(call, [cup]);
    const driving = await project(call, [{ kind: 'drive-log' }]);
    const empty = await project(call, []);
    const modes = { segments: 'off' } as const;
    await setAnnotationSettings(store, call, { project_id: id, modes });
    await expect(queue(call, id)).rejects.toMatchObject({
      code: 'layer_off',
      message: expect.stringContaining('modes.segments'),
      details: { setting: 'modes.segments', set_by: 'project' },
    });
    await expect(queue(call, id, { layer: 'representation_3d' })).rejects.toMatchObject({
      code: 'layer_not_servable',
    });
    await expect(queue(call, driving.id)).rejects.toMatchObject({
      code: 'layer_inapplicable',
      message: expect.stringContaining('driving'),
    });
    await expect(queue(call, empty.id)).rejects.toMatchObject({ code: 'not_ready' });
    await expect(queue(call, id, { layer: 'metadata', episode_ids: driving.episodes })).rejects.toMatchObject(
      { code: 'not_found', message: expect.stringContaining(driving.episodes[0]) },
    );
    await expect(queue(callAs('admin'), id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(queue({ ...call, actor: { ...call.actor, role: 'reviewer' } }, id)).rejects.toMatchObject({
      code: 'forbidden',
    });
    const { rows } = await store.database.query(
      'SELECT (SELECT count(*) FROM jobs WHERE tenant_id = $1)::int AS jobs, (SELECT count(*) FROM job_items WHERE tenant_id = $1)::int AS items',
      [call.actor.tenant_id],
    );
    expect(rows[0]).toEqual({ jobs: 0, items: 0 });
  });

  it('is audited, and another tenant’s or project’s job is not there', async () => {
    const call = callAs('admin');
    const { id: project_id } = await project(call, [cup]);
    const other = await project(call, [cup]);
    const { job } = await queue(call, project_id, { config: { min_duration_s: 99, smell: 1 } });
    expect(job.config).toMatchObject({ min_duration_s: 10, max_segments: 50 });
    const { items } = await listAudit(store, call, { limit: 5 });
    expect(items[0]).toMatchObject({ action: 'enqueue_job', object_id: job.id });
    const gone = { code: 'not_found' };
    await expect(getJob(store, callAs('admin'), { project_id, job_id: job.id })).rejects.toMatchObject(gone);
    await expect(cancelJob(store, call, { project_id: other.id, job_id: job.id })).rejects.toMatchObject(
      gone,
    );
  });
});
