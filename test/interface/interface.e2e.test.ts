import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#client';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { statements } from './statements.ts';
import { createWorld, type World } from './world.ts';

/** Demonstrations are recorded, assessed and annotated by the first statements that need them. */
const slow_ms = 300_000;
const data = mkdtempSync(join(tmpdir(), 'assay-test-interface-'));
let service: ServiceProcess;
let world: World;
let tokens: { readonly one: string; readonly two: string };
beforeAll(async () => {
  const env = { ASSAY_COMPUTE_USD_PER_S: '0.1', ASSAY_RATE_LIMIT: '1000000' };
  service = await startServiceProcess({ data, env });
  const operator = createClient({ address: service.address, token: service.token });
  const tokenOf = async (name: string) =>
    (await operator.tenant.create({ name, token: { name: 'admin', role: 'admin' } })).token.token;
  tokens = { one: await tokenOf('one'), two: await tokenOf('two') };
  world = await createWorld({ address: service.address, token: tokens.one, other_token: tokens.two });
}, slow_ms);
afterAll(async () => {
  await world.close();
  await service.stop();
  rmSync(data, { recursive: true, force: true });
});

describe('the service interface', () => {
  it.each(statements.map((statement) => [statement.section, statement.text, statement] as const))(
    '%s: %s',
    async (_section, _text, { check }) => void (await check(world)),
    slow_ms,
  );
});

describe('npm run conformance', () => {
  const run = (other_token: string) => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['test/interface/main.ts', service.address, '--section', '4.8'],
      { env: { ...process.env, ASSAY_TOKEN: tokens.one, ASSAY_OTHER_TOKEN: other_token }, encoding: 'utf8' },
    );
    return { status, lines: stdout.trimEnd().split('\n') };
  };
  const inSection = statements.filter(({ section }) => section === '4.8');

  it('prints one line per statement', { timeout: slow_ms }, () => {
    const { status, lines } = run(tokens.two);
    expect(lines).toEqual([
      ...inSection.map(({ text }) => `passed  4.8   ${text}`),
      `${inSection.length} of ${inSection.length} statements passed`,
    ]);
    expect(status).toBe(0);
  });

  it('exits with 1 after a statement that does not hold, here because both tenants are the same', {
    timeout: slow_ms,
  }, () => {
    const { status, lines } = run(tokens.one);
    expect(lines.filter((line) => line.startsWith('failed '))).toEqual([
      expect.stringContaining('Tools inherit the tenant isolation of the service: '),
    ]);
    expect([lines.length, status]).toEqual([inSection.length + 1, 1]);
  });
});
