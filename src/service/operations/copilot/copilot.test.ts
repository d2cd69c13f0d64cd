import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#core';
import { flatPrices } from '#core/api';
import type { CopilotProvider } from '#store';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { listAudit } from '../audit/audit-log.ts';
import { getBudget, getCosts, setBudget } from '../budget.ts';
import { getCopilotModels, reserveModelCall, settleModelCall } from './model-calls.ts';
import { listSupportQueries, raiseSupportQuery } from './support-queries.ts';

describe.each(serviceDatabases)('support queries on the %s database', { timeout: 60_000 }, (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  }, 60_000);
  afterAll(() => store.close());

  it('are kept, listed newest first to their own tenant alone, and audited', async () => {
    const call = callAs('admin');
    const first = await raiseSupportQuery(store, call, { subject: 'A worker is away', message: 'Since 9.' });
    const second = await raiseSupportQuery(store, call, { subject: 'Prices', message: 'Which list counts?' });
    expect(first).toMatchObject({ status: 'open', project_id: null, created_by: call.actor.token_id });
    const page = await listSupportQueries(store, call, { limit: 1 });
    expect(page.items).toEqual([second]);
    const rest = await listSupportQueries(store, call, { limit: 1, cursor: page.next_cursor! });
    expect(rest).toEqual({ items: [first], next_cursor: null });
    expect((await listSupportQueries(store, callAs('admin'), { limit: 50 })).items).toEqual([]);
    const { items } = await listAudit(store, call, { limit: 50 });
    expect(items.map(({ action, object_id }) => [action, object_id])).toEqual([
      ['raise_support_query', second.id],
      ['raise_support_query', first.id],
    ]);
  });

  it('may name only a project that is there', async () => {
    const asked = { subject: 'Which', message: 'one?', project_id: newId('prj') };
    await expect(raiseSupportQuery(store, callAs('viewer'), asked)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

const price = { prompt_usd_per_mtok: 1, completion_usd_per_mtok: 2 };
const local = {
  id: 'compatible',
  base_url: 'http://127.0.0.1:1',
  api_key: null,
  models: ['own'],
  silence_ms: 1000,
} as const;
const hosted = {
  ...local,
  id: 'openrouter',
  api_key: 'secret-word',
  models: ['vendor/a', 'vendor/b'],
} as const;

describe.each(serviceDatabases)(
  'what a call of a model reserved, on the %s database',
  { timeout: 60_000 },
  (on) => {
    let store: TestStore;
    beforeAll(async () => {
      store = await openTestStore({ on, prices: { ...flatPrices(0), models: { own: price } } });
    }, 60_000);
    afterAll(() => store.close());

    const minutes = (many: number) => new Date(Date.now() - many * 60_000);
    const used = { prompt_tokens: 1_000_000, completion_tokens: 500_000 };

    /** A call of 2 US dollars whose process was killed in the middle, so long ago. */
    async function abandonedCall(ago_min: number) {
      const call = callAs('admin');
      await setBudget(store, call, { cap_usd: 3 });
      const purpose = { purpose_id: newId('thr'), project_id: null };
      const reserve = () => reserveModelCall(store, call, { purpose, model: 'own', tokens: used });
      const reserved = await reserve();
      await store.database.query('UPDATE reservations SET created_at = $1 WHERE id = $2', [
        minutes(ago_min),
        reserved.reservation_id,
      ]);
      return { call, reserve, reserved };
    }

    it('is held for as long as the call may take', async () => {
      const { call, reserve } = await abandonedCall(14);
      await expect(reserve()).rejects.toMatchObject({ code: 'budget_exceeded' });
      expect(await getBudget(store, call)).toMatchObject({ reserved_usd: 2, remaining_usd: 1 });
    });

    it('is let go once the process must be gone, so that the next call has room', async () => {
      const { call, reserve } = await abandonedCall(16);
      expect(await getBudget(store, call)).toMatchObject({ reserved_usd: 0, remaining_usd: 3 });
      await reserve();
      expect(await getBudget(store, call)).toMatchObject({ reserved_usd: 2, remaining_usd: 1 });
    });

    it('and was let go is still charged when its process wakes up, as far as the cap leaves room', async () => {
      const { call, reserve, reserved } = await abandonedCall(16);
      await reserve();
      await settleModelCall(store, call, reserved, { tokens: used, cost_usd: null, compute_s: 1 });
      expect(await getBudget(store, call)).toMatchObject({ spent_usd: 1, reserved_usd: 2, remaining_usd: 0 });
      const { items } = await getCosts(store, { ...call, now: new Date() }, { group_by: 'layer' });
      expect(items).toMatchObject([{ key: 'copilot', amount_usd: 1, waived_usd: 1 }]);
    });
  },
);

describe('models of the copilot', () => {
  const modelsWith = async (...copilot_providers: CopilotProvider[]) => {
    const prices = { ...flatPrices(0), models: { 'vendor/b': price } };
    const store = await openTestStore({ prices, copilot_providers });
    return getCopilotModels(store, callAs('viewer')).finally(() => store.close());
  };

  it('are none without a provider, and the answer says what to set', async () => {
    expect(await modelsWith()).toMatchObject({
      ...{ active: null, key_configured: false, degraded: true, items: [] },
      reason: expect.stringContaining('ASSAY_OPENROUTER_KEY'),
    });
  });

  it('tell who answers and what it costs, without the key', async () => {
    const listed = { prices: price, charged_prices: price, priced_by: 'price_list' };
    const charged_prices = { prompt_usd_per_mtok: 15, completion_usd_per_mtok: 75 };
    const assumed = { prices: null, charged_prices, priced_by: 'fallback' };
    expect(await modelsWith(hosted, local)).toEqual({
      active: { provider: 'openrouter', model: 'vendor/a' },
      ...{ key_configured: true, degraded: false, reason: null },
      items: [
        { provider: 'openrouter', model: 'vendor/a', available: true, active: true, ...assumed },
        { provider: 'openrouter', model: 'vendor/b', available: true, active: false, ...listed },
        { provider: 'compatible', model: 'own', available: false, active: false, ...assumed },
      ],
    });
  });

  it('of the second provider answer where the router has no key', async () => {
    expect(await modelsWith(local)).toMatchObject({
      ...{ active: { provider: 'compatible', model: 'own' }, key_configured: false, degraded: false },
      reason: expect.stringContaining('the secondary provider is used'),
    });
  });
});
