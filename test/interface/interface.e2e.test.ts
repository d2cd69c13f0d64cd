import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createClient } from '#client';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { statements } from './statements.ts';
import { createWorld, type World } from './world.ts';

/** Demonstrations are recorded, assessed and annotated by the first statements that need them. */
const slow_ms = 300_000;
const data = mkdtempSync(join(tmpdir(), 'assay-test-interface-'));
let service: ServiceProcess;
let world: World;
beforeAll(async () => {
  const env = { ASSAY_COMPUTE_USD_PER_S: '0.001', ASSAY_RATE_LIMIT: '1000000' };
  service = await startServiceProcess({ data, env });
  const operator = createClient({ address: service.address, token: service.token });
  const tokenOf = async (name: string) =>
    (await operator.tenant.create({ name, token: { name: 'admin', role: 'admin' } })).token.token;
  world = await createWorld({
    address: service.address,
    token: await tokenOf('one'),
    other_token: await tokenOf('two'),
  });
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
