import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAs } from '#test/support/service-call';
import { openTestStore, type TestStore } from '#test/support/service-store';
import type { Call } from '../call.ts';
import { type AuditQuery, appendAudit, listAudit } from './audit-log.ts';

let store: TestStore;
let admin: Call;
let engineer: Call;
const noon = new Date('2026-03-01T12:00:00.000Z');
const minutesLater = (n: number) => new Date(noon.getTime() + n * 60_000);

beforeAll(async () => {
  store = await openTestStore();
  admin = callAs('admin');
  engineer = callAs('engineer', admin.actor.tenant_id);
  for (let n = 1; n <= 10; n++) {
    const call = { ...(n % 2 === 0 ? admin : engineer), now: minutesLater(n) };
    await appendAudit(store, call, {
      action: n <= 5 ? 'create_thing' : 'change_thing',
      object_type: 'thing',
      object_id: `thing_${n % 3}`,
      before: n <= 5 ? null : { n: n - 1 },
      after: { n },
    });
  }
});
afterAll(() => store.close());

const sequences = async (query: Omit<AuditQuery, 'limit'> & { limit?: number }) =>
  (await listAudit(store, admin, { limit: 50, ...query })).items.map(({ sequence }) => sequence);

test('rows say who did what when, and chain', async () => {
  const { items } = await listAudit(store, admin, { limit: 2 });
  expect(items[0]).toEqual({
    id: expect.stringMatching(/^aud_/),
    sequence: 10,
    at: '2026-03-01T12:10:00.000Z',
    actor_id: admin.actor.token_id,
    actor_name: 'test admin',
    role: 'admin',
    action: 'change_thing',
    object_type: 'thing',
    object_id: 'thing_1',
    before_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    after_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    detail: {},
    request_id: admin.request_id,
    previous_digest: items[1].digest,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('pages join without a gap or a repeat, and the last says so', async () => {
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit(store, admin, { limit: 4, cursor });
    seen.push(...page.items.map(({ sequence }) => sequence));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test('actor, action, object and time narrow it down, together too', async () => {
  expect(await sequences({ actor: engineer.actor.token_id })).toEqual([9, 7, 5, 3, 1]);
  expect(await sequences({ action: 'create_thing' })).toEqual([5, 4, 3, 2, 1]);
  expect(await sequences({ object_id: 'thing_0' })).toEqual([9, 6, 3]);
  expect(await sequences({ from: minutesLater(4).toISOString(), to: minutesLater(7).toISOString() })).toEqual(
    [6, 5, 4],
  );
  expect(await sequences({ actor: engineer.actor.token_id, object_id: 'thing_0' })).toEqual([9, 3]);
  expect(await sequences({ actor: 'nobody' })).toEqual([]);
});

test('another tenant sees nothing of it', async () => {
  expect(await listAudit(store, callAs('admin'), { limit: 50 })).toEqual({ items: [], next_cursor: null });
});

test('a cursor that no page gave is refused', async () => {
  await expect(sequences({ cursor: 'next' })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('only an admin reads it', async () => {
  await expect(listAudit(store, engineer, { limit: 1 })).rejects.toMatchObject({
    code: 'forbidden',
    details: { required_role: 'admin', role: 'engineer' },
  });
});
