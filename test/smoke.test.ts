import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '#client';
import { temporaryFolder } from '#test/support/lerobot-set';
import { joinSharedService } from '#test/support/shared-service';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { runAssay } from './run-assay.ts';
import { assessFolder } from './support/assessed-project.ts';

test('the program assesses a set, serves it, and a client reads receipts that `assay verify` accepts', async () => {
  const service = await joinSharedService();
  const { recordings } = service;
  await generateNumericSet(recordings, 2);
  const folder = await temporaryFolder();
  const [out, served] = [join(folder, 'out'), join(folder, 'served')];
  mkdirSync(served);
  const assessed = await runAssay(['assess', recordings, '--out', out]);
  expect(assessed.code, assessed.err).toBe(0);
  expect(assessed.out).toContain('2 episodes');

  const client = createClient({ address: service.address, token: service.token });
  const project_id = await assessFolder(service, recordings, 'data-assessment');
  const { items } = await client.episodes.list({ project_id, sort: 'name' });
  expect(items.map(({ name }) => name)).toEqual(['episode_000000', 'episode_000001']);
  for (const { id: episode_id, name } of items) {
    const text = await (await client.download('get_receipt', { episode_id })).text();
    writeFileSync(join(served, `${name}.json`), text);
    const own = JSON.parse(readFileSync(join(out, 'receipts', `${name}.json`), 'utf8'));
    expect(JSON.parse(text).decision).toBe(own.decision);
  }
  for (const receipts of [served, join(out, 'receipts')]) {
    const verified = await runAssay(['verify', receipts, '--source', recordings]);
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('2 receipts')]);
  }
});
