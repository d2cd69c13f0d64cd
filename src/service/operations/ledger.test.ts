import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#core';
import { charge, extendReservation, type LedgerContext, release, reserve } from '#engine/budget';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { scopeOf } from './call.ts';
import { getBudget, getCosts, listAudit, setBudget } from './index.ts';

const day_ms = 86_400_000;

describe.each(serviceDatabases)('the ledger on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  }, 120_000);
  afterAll(() => store.close());

  const begin = async (cap_usd: number | null) => {
    const call = callAs('admin');
    await setBudget(store, call, { cap_usd });
    const till: LedgerContext = { store, scope: scopeOf(store, call), now: call.now };
    return { call, till };
  };
  const purpose = () => ({ purpose_id: newId('job'), project_id: newId('prj') });
  const seconds = (amount_usd: number, layer = 'depth') => ({ layer, model: null, compute_s: 1, amount_usd });

  /** Charges and open reservations of a tenant, in SQL. */
  const committed = async ({ scope }: LedgerContext): Promise<number> => {
    const { rows } = await store.database.query(
      `SELECT coalesce((SELECT sum(amount_usd) FROM charges WHERE tenant_id = $1), 0)
         + coalesce((SELECT sum(open_usd) FROM reservations WHERE tenant_id = $1 AND closed_at IS NULL), 0) AS usd`,
      [scope.tenant_id],
    );
    return rows[0].usd;
  };

  it('lets exactly as many of two hundred at once reserve as the cap fits', async () => {
    const { till } = await begin(3.7);
    let most = 0;
    const watch = async () => {
      most = Math.max(most, await committed(till));
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, async () => {
        const id = await reserve(till, purpose(), 0.1);
        await watch();
        return id;
      }),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect([outcomes.length - refused.length, refused.length]).toEqual([37, 163]);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'budget_exceeded' });
    expect(most).toBeLessThanOrEqual(3.7);
    expect(await committed(till)).toBeCloseTo(3.7, 6);
  });

  it('lets go of a film whose process must be gone, and never of work that is taken up again', async () => {
    const { call, till } = await begin(10);
    const longAgo = { ...till, now: new Date(till.now.getTime() - 16 * 60_000) };
    await reserve(longAgo, { purpose_id: newId('ep'), project_id: newId('prj') }, 4);
    await reserve(longAgo, purpose(), 2);
    expect(await getBudget(store, call)).toMatchObject({ reserved_usd: 2, remaining_usd: 8 });
    await reserve(till, purpose(), 8);
  });

  it('charges what was measured and gives back the rest', async () => {
    const { call, till } = await begin(10);
    const job = purpose();
    const id = await reserve(till, job, 4);
    expect(await charge(till, job, id, seconds(1.5))).toEqual({ charged_usd: 1.5, waived_usd: 0 });
    expect(await getBudget(store, call)).toMatchObject({
      spent_usd: 1.5,
      reserved_usd: 2.5,
      remaining_usd: 6,
    });
    await release(till, id);
    await release(till, id);
    expect(await getBudget(store, call)).toMatchObject({
      spent_usd: 1.5,
      reserved_usd: 0,
      remaining_usd: 8.5,
    });
    await expect(charge(till, job, id, seconds(1))).rejects.toMatchObject({ code: 'internal' });
  });

  it('waives what would pass the cap, and puts more aside only where there is room', async () => {
    const { call, till } = await begin(5);
    const job = purpose();
    const id = await reserve(till, job, 4);
    await expect(extendReservation(till, id, 1.01)).rejects.toMatchObject({ code: 'budget_exceeded' });
    expect(await charge(till, job, id, seconds(7))).toEqual({ charged_usd: 5, waived_usd: 2 });
    expect(await getBudget(store, call)).toMatchObject({ spent_usd: 5, remaining_usd: 0 });
    expect(await committed(till)).toBe(5);
  });

  it('forgets spending after seven days, and lets anything through without a cap', async () => {
    const { call, till } = await begin(1);
    await charge(till, purpose(), null, seconds(1));
    await expect(reserve(till, purpose(), 0.000001)).rejects.toMatchObject({ code: 'budget_exceeded' });
    const later = { ...till, now: new Date(call.now.getTime() + 7 * day_ms + 1) };
    await reserve(later, purpose(), 1);
    await setBudget(store, call, { cap_usd: null });
    await reserve(later, purpose(), 1000);
    expect(await getBudget(store, call)).toMatchObject({ cap_usd: null, remaining_usd: null });
  });

  it('tells costs by layer, project, day and model', async () => {
    const { call, till } = await begin(null);
    const [one, other] = [purpose(), purpose()];
    await charge(till, one, null, seconds(1, 'depth'));
    await charge(till, one, null, { ...seconds(2, 'captions'), model: 'assay/grammar' });
    const before = { ...till, now: new Date(call.now.getTime() - day_ms) };
    await charge(before, other, null, seconds(4, 'depth'));
    const ask = async (group_by: 'layer' | 'project' | 'day' | 'model') => {
      const to = new Date(call.now.getTime() + 1).toISOString();
      const { items, total_usd } = await getCosts(store, call, { group_by, to });
      expect(total_usd).toBe(7);
      return items.map(({ key, amount_usd }) => [key, amount_usd]);
    };
    expect(await ask('layer')).toEqual([
      ['depth', 5],
      ['captions', 2],
    ]);
    expect(await ask('project')).toEqual([
      [other.project_id, 4],
      [one.project_id, 3],
    ]);
    expect((await ask('day')).map(([, amount]) => amount)).toEqual([4, 3]);
    expect(await ask('model')).toEqual([
      [null, 5],
      ['assay/grammar', 2],
    ]);
  });

  it('writes changes of the cap into the audit log, and only those', async () => {
    const { call } = await begin(20);
    await setBudget(store, call, { cap_usd: 20 });
    await setBudget(store, call, { cap_usd: 25 });
    const { items } = await listAudit(store, call, { limit: 10 });
    expect(items.map(({ action, detail }) => [action, detail?.cap_usd])).toEqual([
      ['set_budget', { from: 20, to: 25 }],
      ['set_budget', { from: null, to: 20 }],
    ]);
  });
});
