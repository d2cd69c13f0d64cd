import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbedded } from '#store';
import { type Ran, runAssay } from './run-assay.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { copyEmptyDatabase } from './support/store-template.ts';

let data: string;
const assay = (...args: string[]): Promise<Ran> => runAssay([...args, '--data', data]);

beforeAll(async () => {
  // With what a shell would trip over.
  data = join(mkdtempSync(join(tmpdir(), "assay-test-admin's ")), 'data');
  await copyEmptyDatabase(data);
});
afterAll(() => rmSync(join(data, '..'), { recursive: true, force: true }));

// One folder from its first command on: each test goes on where the one before stopped.
describe('token and audit, from an empty folder on', () => {
  test('before the first start there is no tenant, and it says how to get one', async () => {
    const { code, err } = await assay('token', 'create', '--role', 'viewer');
    expect(code).toBe(3);
    expect(err).toContain('no tenant named default');
    expect(err).toContain('run `assay serve` once to create it');
  });

  test('a wrong role, time or name is refused before anything is opened', async () => {
    const wrong = [
      ['--role', 'boss'],
      ['--role', 'viewer', '--expires', '30'],
      ['--role', 'viewer', '--expires', '11y'],
      ['--role', 'viewer', '--name', '  '],
      [],
    ];
    for (const args of wrong) expect((await assay('token', 'create', ...args)).code).toBe(2);
    expect((await assay('audit', 'verify', '--head', '3:abc', '--tenant', 'lab')).code).toBe(2);
  });

  test('a new tenant is made when asked for, not by a slip', async () => {
    const slip = await assay('token', 'create', '--role', 'admin', '--tenant', 'lab');
    expect(slip.code).toBe(3);
    expect(slip.err).toContain('--new-tenant');
    const made = await assay('token', 'create', '--role', 'admin', '--tenant', 'lab', '--new-tenant');
    expect(made.code).toBe(0);
    expect(made.out).toMatch(/^asy_[0-9A-Za-z]{43}\n$/);
    expect(made.err).toContain('role admin, tenant lab');
  });

  test('tokens are listed and revoked, the last admin token is not', async () => {
    const more = await assay(
      'token',
      'create',
      '--role',
      'engineer',
      '--tenant',
      'lab',
      '--expires',
      '30d',
      '--json',
    );
    const created = JSON.parse(more.out);
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(30 * 86_400_000);
    const list = await assay('token', 'list', '--tenant', 'lab');
    expect(list.out.trim().split('\n')).toHaveLength(3);
    expect(list.out).not.toContain('asy_');
    expect((await assay('token', 'revoke', created.id, '--tenant', 'lab')).code).toBe(0);
    const tokens = JSON.parse((await assay('token', 'list', '--tenant', 'lab', '--json')).out);
    expect(tokens.map((token: { role: string }) => token.role)).toEqual(['engineer', 'admin']);
    expect(tokens[0].revoked_at).not.toBeNull();
    const last = await assay('token', 'revoke', tokens[1].id, '--tenant', 'lab');
    expect(last.code).toBe(2);
    expect(last.err).toContain('create another admin token first');
  });

  describe('while a service has the folder', () => {
    let service: ServiceProcess;
    beforeAll(async () => {
      service = await startServiceProcess({ data });
    });
    afterAll(() => service?.stop());

    test('it says what to type, and that works', async () => {
      const refused = await assay('token', 'create', '--role', 'viewer', '--name', "Bob's robot");
      expect(refused.code).toBe(4);
      expect(refused.err).toContain(`the service at ${service.address}`);
      const advised = /send the request to that service instead: (curl .*)/.exec(refused.err)![1];
      const created = JSON.parse(execFileSync('sh', ['-c', `${advised} -s`], { encoding: 'utf8' }));
      expect(created).toMatchObject({ name: "Bob's robot", role: 'viewer', token: expect.any(String) });
      const other = await assay('token', 'list', '--tenant', 'lab');
      expect(other.err).toContain('<an admin token of lab>');
      expect((await service.ask('GET', '/v1/whoami')).tenant.name).toBe('default');
    });

    test('a new tenant is made through it, by its operator alone', async () => {
      const create = ['token', 'create', '--tenant', 'plant', '--new-tenant', '--role', 'admin'];
      const made = await assay(...create);
      expect(made.code, made.err).toBe(0);
      expect(made.err).toContain('role admin, tenant plant');
      const headers = { authorization: `Bearer ${made.out.trim()}`, 'content-type': 'application/json' };
      const who = await fetch(`${service.address}/v1/whoami`, { headers });
      expect(await who.json()).toMatchObject({ role: 'admin', tenant: { name: 'plant' } });
      const again = await assay(...create);
      expect(again.code).toBe(2);
      expect(again.err).toContain('a tenant named plant already exists');
      const body = JSON.stringify({ name: 'annex', token: { name: 'first', role: 'admin' } });
      const other = await fetch(`${service.address}/v1/tenants`, { method: 'POST', headers, body });
      expect([other.status, await other.json()]).toMatchObject([
        403,
        { code: 'forbidden', required_tenant: 'default' },
      ]);
      const { items } = await service.ask('GET', '/v1/audit?action=create_tenant&limit=1');
      expect(items[0].detail).toMatchObject({ name: 'plant', role: 'admin' });
    });
  });

  test('every tenant’s log is verified, and a row that was edited is named', async () => {
    const whole = await assay('audit', 'verify');
    expect(whole.code).toBe(0);
    expect(whole.out).toMatch(/✓ default: \d+ rows.*✓ lab: 4 rows.*✓ plant: 2 rows/s);
    const head = /lab: .*?head (\S+)/s.exec(whole.out)![1];
    expect((await assay('audit', 'verify', '--tenant', 'lab', '--head', head)).code).toBe(0);
    const database = await openEmbedded(data);
    await database.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
    await database.query("UPDATE audit_entries SET actor_name = 'somebody else' WHERE sequence = 3");
    await database.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
    await database.close();
    const broken = await assay('audit', 'verify', '--tenant', 'lab');
    expect(broken.code).toBe(1);
    expect(broken.out).toContain('✗ lab: entry 3 was changed');
    const { tenants } = JSON.parse((await assay('audit', 'verify', '--json')).out);
    expect(tenants).toMatchObject([
      { tenant: 'default', intact: false, fault: { kind: 'changed', sequence: 3 } },
      { tenant: 'lab', intact: false, fault: { kind: 'changed', sequence: 3 } },
      { tenant: 'plant', intact: true, fault: null },
    ]);
  });
});
