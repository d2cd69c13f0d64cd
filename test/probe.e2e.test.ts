import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { temporaryFolder } from '#test/support/lerobot-set';
import { runAssay } from './run-assay.ts';
import { assessFolder } from './support/assessed-project.ts';
import { joinSharedService } from './support/shared-service.ts';

let service: Awaited<ReturnType<typeof joinSharedService>>;
let set: string;
let folder: string;

beforeAll(async () => {
  service = await joinSharedService();
  set = join(service.recordings, 'set');
  folder = await temporaryFolder();
  await writeTeleopLeRobot(set, 3, () => {}, {
    episodes: 14,
    plan: { 2: ['nan', 'medium'], 5: ['jump', 'large'] },
  });
}, 180_000);

const assay = (command: string, ...args: string[]) =>
  runAssay([command, set, '--cache', join(folder, 'cache'), ...args]);

describe('probing a folder', { timeout: 180_000 }, () => {
  it('compares the subsets on held-out episodes, by the recommended plan or by one of assay curate', async () => {
    const first = await assay('probe', '--json', '--seed', '3', '--folds', '4');
    expect(first).toMatchObject({ code: 0 });
    const probe = JSON.parse(first.out);
    expect(probe).toMatchObject({ schema: 'assay/probe/v1', status: 'measured', seed: 3, folds: 4 });
    const ids = ['raw', 'accepted', 'curated'];
    expect(probe.subsets.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(probe.subsets[0].episodes).toBe(14);
    expect(probe.held_out.episodes).toBe(probe.subsets[1].episodes);
    for (const { outcome } of probe.subsets)
      for (const { error } of outcome.policies) expect(error).toBeLessThan(1);
    expect((await assay('probe', '--json', '--seed', '3', '--folds', '4')).out).toBe(first.out);

    const plan = join(folder, 'plan.json');
    expect(await assay('curate', '--strategy', 'random:keep=0.6', '--out', plan)).toMatchObject({ code: 0 });
    const { kept, plan_hash } = JSON.parse(readFileSync(plan, 'utf8'));
    const planned = JSON.parse((await assay('probe', '--json', '--plan', plan)).out);
    expect(planned.subsets[2]).toMatchObject({
      episodes: kept.length,
      how: `plan ${plan_hash.slice(0, 8)}`,
    });
    const printed = await assay('probe', '--plan', plan);
    expect(printed.out).toContain('this is an offline probe');
    expect(printed.out).toMatch(/^curated +8 /m);
    const other = await assay('probe', '--plan', plan, '--limit', '12');
    expect(other).toMatchObject({ code: 2 });
    expect(other.err).toContain('a plan for other episodes');
    writeFileSync(plan, JSON.stringify({ ...JSON.parse(readFileSync(plan, 'utf8')), kept: [] }));
    expect((await assay('probe', '--plan', plan)).err).toContain('was changed since');
  });

  it('says why a set is too small', async () => {
    const { code, out } = await assay('probe', '--limit', '5');
    expect(code).toBe(0);
    expect(out).toMatch(/^Not assessable: \d of 5 episodes are accepted, .* at least 10 are required$/m);
  });

  it('answers at a service what it answers of the folder', { timeout: 400_000 }, async () => {
    // A use case without changed weights, like a folder: scores depend on the use case, and plan hashes on scores.
    await assessFolder(service, set, 'data-assessment');
    const asked = ['--json', '--seed', '3', '--folds', '4', '--window', '2'];
    const address = ['--url', service.address, '--token', service.token];
    const served = await runAssay(['probe', '--project', 'all', ...address, ...asked]);
    expect(served.code, served.err).toBe(0);
    const { schema, assay: _, source, ...own } = JSON.parse((await assay('probe', ...asked)).out);
    expect([schema, source.name, own.window_rows]).toEqual(['assay/probe/v1', 'set', 2]);
    expect(JSON.parse(served.out).result).toEqual(own);
    const printed = await runAssay(['probe', '--project', 'all', ...address, '--window', '2']);
    expect(printed.out).toContain('Policies see 2 rows of state');
    expect((await runAssay(['probe', set, '--project', 'all'])).code).toBe(2);
    expect((await runAssay(['probe'])).code).toBe(2);
  });

  it.each([
    [['--window', '5'], 'at most 4'],
    [['--folds', '1'], 'whole number, 2 or more'],
    [['--folds', '11'], 'at most 10'],
    [['--seed', 'x'], 'whole number'],
  ])('%j is refused as usage', async (args, told) => {
    const { code, err } = await assay('probe', ...args);
    expect(code).toBe(2);
    expect(err).toContain(told);
  });
});
