import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core';
import { auditRows } from '#store';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import type { Call } from '../call.ts';
import { auditDigest, chainStart, verifyAudit } from './audit-chain.ts';
import { appendAudit } from './audit-log.ts';

describe.each(serviceDatabases)('on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());

  /** Somebody in a new tenant whose log has `rows` rows. */
  async function logged(rows: number): Promise<Call> {
    const call = callAs('admin');
    for (let n = 1; n <= rows; n++) {
      await appendAudit(store, call, {
        action: 'create_thing',
        object_type: 'thing',
        object_id: `thing_${n}`,
        before: null,
        after: { n },
        detail: { n, text: 'é "quoted"', small: 1e-7, list: [null, true] },
      });
    }
    return call;
  }

  /** As somebody who owns the database would: past the triggers. */
  async function tamper(call: Call, statement: string, values: readonly unknown[] = []): Promise<void> {
    await store.database.transaction(async () => {
      await store.database.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
      await store.database.query('ALTER TABLE audit_heads DISABLE TRIGGER USER');
      await store.database.query(statement, [call.actor.tenant_id, ...values]);
      await store.database.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
      await store.database.query('ALTER TABLE audit_heads ENABLE TRIGGER USER');
    });
  }

  /** Rewrites row `sequence` so that it holds together in itself. */
  async function rewrite(call: Call, sequence: number, change: JsonObject): Promise<void> {
    const scope = { sql: store.database.sql, tenant_id: call.actor.tenant_id };
    const [{ digest: _, ...row }] = await auditRows.readAuditChain(scope, {
      after: sequence - 1,
      last: sequence,
      limit: 1,
    });
    const digest = auditDigest({ ...row, detail: change });
    await tamper(call, 'UPDATE audit_entries SET detail=$2, digest=$3 WHERE tenant_id=$1 AND sequence=$4', [
      change,
      digest,
      sequence,
    ]);
  }

  test('a log that nobody touched is intact, over several batches', async () => {
    const call = await logged(260);
    const { head, ...rest } = await verifyAudit(store, call);
    expect(rest).toEqual({ intact: true, rows: 260, fault: null });
    expect(await verifyAudit(store, call, { noted: head })).toMatchObject({ intact: true });
  });

  test.each([
    ['what was done', "UPDATE audit_entries SET action = 'other' WHERE tenant_id = $1 AND sequence = 3"],
    ['when', "UPDATE audit_entries SET at = at + interval '1 ms' WHERE tenant_id = $1 AND sequence = 3"],
    ['the detail', `UPDATE audit_entries SET detail = '{"n":4}' WHERE tenant_id = $1 AND sequence = 3`],
    ['the digest', "UPDATE audit_entries SET digest = repeat('1', 64) WHERE tenant_id = $1 AND sequence = 3"],
  ])('a row whose %s was changed is named', async (_what, statement) => {
    const call = await logged(5);
    await tamper(call, statement);
    expect(await verifyAudit(store, call)).toMatchObject({
      intact: false,
      rows: 2,
      head: { sequence: 2 },
      fault: { kind: 'changed', sequence: 3, message: expect.stringContaining('entry 3 was changed') },
    });
  });

  test('a row that was changed with its digest is named by the row that follows', async () => {
    const call = await logged(5);
    await rewrite(call, 3, { n: 4 });
    expect((await verifyAudit(store, call)).fault).toMatchObject({ kind: 'rewritten', sequence: 3 });
  });

  test('the last row, changed with its digest, is found by the end that the log keeps', async () => {
    const call = await logged(5);
    await rewrite(call, 5, { n: 4 });
    expect((await verifyAudit(store, call)).fault).toMatchObject({ kind: 'rewritten', sequence: 5 });
  });

  test('rows taken out of the middle or from the start are missed', async () => {
    const call = await logged(6);
    await tamper(call, 'DELETE FROM audit_entries WHERE tenant_id = $1 AND sequence IN (3, 4)');
    expect((await verifyAudit(store, call)).fault).toEqual({
      kind: 'missing',
      sequence: 3,
      message: 'entries 3 to 4 are missing',
    });
    await tamper(call, 'DELETE FROM audit_entries WHERE tenant_id = $1 AND sequence = 1');
    expect((await verifyAudit(store, call)).fault).toMatchObject({ kind: 'missing', sequence: 1 });
  });

  test('rows taken off the end are missed, also after the log went on', async () => {
    const call = await logged(6);
    await tamper(call, 'DELETE FROM audit_entries WHERE tenant_id = $1 AND sequence > 4');
    const cut = { kind: 'missing', sequence: 5, message: 'entries 5 to 6 are missing' };
    expect((await verifyAudit(store, call)).fault).toEqual(cut);
    await appendAudit(store, call, {
      action: 'go_on',
      object_type: 'thing',
      object_id: 'thing_7',
      before: null,
      after: null,
    });
    expect((await verifyAudit(store, call)).fault).toEqual(cut);
  });

  test('rows that changed places are told from rows that changed', async () => {
    const call = await logged(5);
    await tamper(
      call,
      'UPDATE audit_entries SET sequence = CASE sequence WHEN 3 THEN 400 ELSE 300 END WHERE tenant_id = $1 AND sequence IN (3, 4)',
    );
    await tamper(
      call,
      'UPDATE audit_entries SET sequence = sequence / 100 WHERE tenant_id = $1 AND sequence > 5',
    );
    expect((await verifyAudit(store, call)).fault).toMatchObject({
      kind: 'reordered',
      sequence: 3,
      message: expect.stringContaining('now has the number 4'),
    });
  });

  test('a row added after the end, or before the start, is named', async () => {
    const copy = (to: number) =>
      `INSERT INTO audit_entries SELECT tenant_id, ${to}, 'aud_copy_${to}', at, actor_id, actor_name, role, action,
       object_type, object_id, before_hash, after_hash, detail, request_id, previous_digest, digest
       FROM audit_entries WHERE tenant_id = $1 AND sequence = 2`;
    const call = await logged(3);
    await tamper(call, copy(4));
    expect((await verifyAudit(store, call)).fault).toMatchObject({ kind: 'added', sequence: 4 });
    await tamper(call, copy(0));
    expect((await verifyAudit(store, call)).fault).toMatchObject({ kind: 'added', sequence: 0 });
  });

  test('a log without its end, or without anything, is not intact', async () => {
    const call = await logged(3);
    await tamper(call, 'DELETE FROM audit_heads WHERE tenant_id = $1');
    expect((await verifyAudit(store, call)).fault).toMatchObject({ kind: 'missing' });
    await tamper(call, 'DELETE FROM audit_entries WHERE tenant_id = $1');
    expect((await verifyAudit(store, call)).intact).toBe(false);
  });

  test('a whole log written anew is found out by a head that was written down', async () => {
    const call = await logged(3);
    const { head: noted } = await verifyAudit(store, call);
    const before = { ...call, now: new Date(call.now.getTime() - 1000) };
    await tamper(call, 'DELETE FROM audit_entries WHERE tenant_id = $1');
    await tamper(call, 'UPDATE audit_heads SET sequence = 0, digest = $2 WHERE tenant_id = $1', [
      chainStart.digest,
    ]);
    const act = { object_type: 'thing', object_id: 'thing_1', before: null, after: null };
    for (const action of ['one', 'two']) await appendAudit(store, before, { action, ...act });
    expect((await verifyAudit(store, call)).intact).toBe(true);
    expect((await verifyAudit(store, call, { noted })).fault).toEqual({
      kind: 'missing',
      sequence: 3,
      message: 'entry 3 is missing',
    });
    await appendAudit(store, before, { action: 'three', ...act });
    expect((await verifyAudit(store, call, { noted })).fault).toMatchObject({
      kind: 'rewritten',
      sequence: 3,
    });
  });

  test.each([
    "UPDATE audit_entries SET action = 'other'",
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    'DELETE FROM audit_heads',
    'TRUNCATE audit_heads',
  ])('the database refuses %s', async (statement) => {
    const call = await logged(1);
    await expect(store.database.query(statement)).rejects.toThrow(/the audit log is append-only/);
    expect((await verifyAudit(store, call)).intact).toBe(true);
  });

  test('one tenant’s log says nothing of another’s', async () => {
    const [one, other] = [await logged(2), await logged(2)];
    await tamper(one, 'DELETE FROM audit_entries WHERE tenant_id = $1 AND sequence = 2');
    expect((await verifyAudit(store, one)).intact).toBe(false);
    expect((await verifyAudit(store, other)).intact).toBe(true);
  });

  test('a log that is being written to is intact', async () => {
    const call = await logged(300);
    let writing = true;
    const writer = (async () => {
      while (writing)
        await appendAudit(store, call, {
          action: 'go_on',
          object_type: 't',
          object_id: 't',
          before: null,
          after: null,
        });
    })();
    for (let i = 0; i < 5; i++) expect((await verifyAudit(store, call)).fault).toBeNull();
    writing = false;
    await writer;
  });

  test('only an admin may', async () => {
    await expect(verifyAudit(store, callAs('engineer'))).rejects.toMatchObject({ code: 'forbidden' });
  });
});
