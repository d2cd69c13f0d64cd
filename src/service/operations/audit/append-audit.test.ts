import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { auditDigest, chainStart } from './audit-chain.ts';
import { appendAudit } from './audit-log.ts';

describe.each(serviceDatabases)('on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());

  test('fifty writers at once keep one chain', async () => {
    const call = callAs('admin');
    const write = (n: number) =>
      appendAudit(store, call, {
        action: 'create_thing',
        object_type: 'thing',
        object_id: `thing_${n}`,
        before: null,
        after: { n },
      });
    await Promise.all(Array.from({ length: 50 }, (_, n) => write(n)));
    const { rows } = await store.database.query(
      'SELECT * FROM audit_entries WHERE tenant_id = $1 ORDER BY sequence',
      [call.actor.tenant_id],
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    let previous = chainStart.digest;
    for (const { digest, ...entry } of rows) {
      expect(entry.previous_digest).toBe(previous);
      expect(auditDigest(entry)).toBe(digest);
      previous = digest;
    }
  });
});
