import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate, openEmbedded, type Store } from '#store';
import { availableDatabases, openTestStore, type TestStore } from '#test/support/service-store';
import { copyEmptyDatabase } from '#test/support/store-template';
import { verifyAudit } from '../audit/audit-chain.ts';
import { systemCall } from '../call.ts';
import { findActor } from './sessions.ts';
import { type BootstrapResult, bootstrapTenant } from './tenants.ts';
import { newSecretToken } from './tokens.ts';

const now = new Date('2026-03-01T12:00:00.000Z');

describe.each(availableDatabases)('on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    rmSync(join(store.data_folder, 'admin-token'), { force: true });
    await store.database.transaction(async () => {
      for (const table of ['tenants', 'tokens', 'audit_entries', 'audit_heads']) {
        await store.database.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
        await store.database.query(`DELETE FROM ${table}`);
        await store.database.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
      }
    });
  });

  const start = (more: { bootstrap_token?: string; data_folder?: string } = {}): Promise<BootstrapResult> =>
    bootstrapTenant(store, { data_folder: store.data_folder, now, ...more });
  const fileToken = () => readFileSync(join(store.data_folder, 'admin-token'), 'utf8').trim();

  test('the first start makes a tenant and an admin token, shown once and kept for the owner only', async () => {
    const first = await start();
    const file = join(store.data_folder, 'admin-token');
    expect(first).toMatchObject({ first_start: true, token: fileToken(), token_file: file, warning: null });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await findActor(store, fileToken(), now)).toMatchObject({
      tenant_id: first.tenant_id,
      role: 'admin',
    });
    expect(await start()).toEqual({ ...first, first_start: false, token: null });
    const call = systemCall(first.tenant_id, 'test', now);
    expect(await verifyAudit(store, call)).toMatchObject({ intact: true, rows: 2 });
  });

  test('a preset token is the one that works, and is not printed', async () => {
    const bootstrap_token = newSecretToken();
    expect(await start({ bootstrap_token })).toMatchObject({ first_start: true, token: null });
    expect(fileToken()).toBe(bootstrap_token);
    expect(await findActor(store, bootstrap_token, now)).toMatchObject({ role: 'admin' });
    expect(await start({ bootstrap_token })).toMatchObject({ first_start: false, warning: null });
  });

  test('a preset token that comes too late is said not to work', async () => {
    await start();
    const late = newSecretToken();
    expect((await start({ bootstrap_token: late })).warning).toMatch(/only on the first start/);
    expect(await findActor(store, late, now)).toBeNull();
  });

  test.each(['', 'secret', 'asy_short', `asy_${'x'.repeat(42)}!`, ` ${newSecretToken()}`])(
    'the preset token %j is refused, and nothing is made',
    async (bootstrap_token) => {
      await expect(start({ bootstrap_token })).rejects.toMatchObject({ code: 'usage' });
      expect((await store.database.query('SELECT * FROM tenants')).rows).toEqual([]);
    },
  );

  test('where the token cannot be kept nothing is made', async () => {
    const data_folder = join(store.data_folder, 'absent');
    await expect(start({ data_folder })).rejects.toMatchObject({
      code: 'output_unwritable',
      path: join(data_folder, 'admin-token'),
    });
    expect((await store.database.query('SELECT * FROM tenants')).rows).toEqual([]);
    mkdirSync(data_folder);
    expect(await start({ data_folder })).toMatchObject({ first_start: true });
  });

  test('of several that start at once one makes the tenant, and its file has the token', async () => {
    const folders = [1, 2, 3, 4].map((n) => join(store.data_folder, `machine-${n}`));
    for (const folder of folders) mkdirSync(folder);
    const started = await Promise.all(folders.map((data_folder) => start({ data_folder })));
    const first = started.filter(({ first_start }) => first_start);
    expect(first).toHaveLength(1);
    expect(new Set(started.map(({ tenant_id }) => tenant_id)).size).toBe(1);
    for (const [i, folder] of folders.entries()) {
      expect(existsSync(join(folder, 'admin-token'))).toBe(started[i].first_start);
      expect(started[i].token_file === null).toBe(!started[i].first_start);
    }
    expect(await findActor(store, first[0].token!, now)).not.toBeNull();
  });
});

describe('killed', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-test-bootstrap-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts for the first time in a process of its own, which is killed before or after the commit. */
  async function startAndDie(when: 'before the commit' | 'after the commit'): Promise<void> {
    await copyEmptyDatabase(folder);
    const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      const { migrate, openEmbedded } = await import(${source('../../../store/index.ts')});
      const { bootstrapTenant } = await import(${source('./tenants.ts')});
      const database = await openEmbedded(${JSON.stringify(folder)});
      await migrate(database);
      const die = () => process.kill(process.pid, 'SIGKILL');
      let depth = 0;
      const transaction = async (work) => {
        const result = await database.transaction(async () => {
          depth++;
          const result = await work();
          if (--depth === 0 && ${JSON.stringify(when)} === 'before the commit') die();
          return result;
        });
        if (depth === 0) die();
        return result;
      };
      const store = { database: { ...database, transaction } };
      await bootstrapTenant(store, { data_folder: ${JSON.stringify(folder)}, now: new Date() });`;
    // From a file: the database's thread would inherit `--eval`'s options.
    const file = join(folder, 'start.ts');
    writeFileSync(file, script);
    const child = spawn(process.execPath, [file], { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  }

  test.each([
    ['before the commit', true],
    ['after the commit', false],
  ] as const)('%s, the next start leaves a token that works in the file', async (when, first_start) => {
    await startAndDie(when);
    const left = readFileSync(join(folder, 'admin-token'), 'utf8').trim();
    const database = await openEmbedded(folder);
    const store = { database } as Store;
    await migrate(database);
    expect(await findActor(store, left, now)).toEqual(
      first_start ? null : expect.objectContaining({ role: 'admin' }),
    );
    const next = await bootstrapTenant(store, { data_folder: folder, now });
    expect(next).toMatchObject({ first_start, token_file: join(folder, 'admin-token') });
    const token = readFileSync(join(folder, 'admin-token'), 'utf8').trim();
    expect(token === left).toBe(!first_start);
    expect(await findActor(store, token, now)).toMatchObject({ role: 'admin', tenant_id: next.tenant_id });
    expect(readdirSync(folder).filter((name) => name.startsWith('admin-token'))).toEqual(['admin-token']);
    await database.close();
  });
});
