import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { temporaryFolder } from '#test/support/lerobot-set';
import { runAssay } from './run-assay.ts';

let set: string;
let folder: string;

beforeAll(async () => {
  set = join(await temporaryFolder(), 'set');
  folder = await temporaryFolder();
  await writeTeleopLeRobot(set, 3, () => {}, { episodes: 8, plan: { 2: ['nan', 'medium'] } });
}, 120_000);

const curate = async (...args: string[]) => {
  const ran = await runAssay(['curate', set, '--cache', join(folder, 'cache'), ...args]);
  return { ...ran, plan: ran.code === 0 && args.includes('--json') ? JSON.parse(ran.out) : null };
};

describe('curating a folder', { timeout: 180_000 }, () => {
  it('accounts for every episode, with the stage and the reason, and chooses the same again', async () => {
    const stages = ['--strategy', 'decision', '--strategy', 'diversity:keep=0.5', '--seed', '4', '--json'];
    const { plan } = await curate(...stages);
    expect(plan.schema).toBe('assay/curation-plan/v1');
    expect(plan.kept.length + plan.dropped.length).toBe(8);
    expect(plan.dropped).toContainEqual({
      id: 'episode_000002',
      stage: 1,
      strategy: 'decision',
      reason: 'decision is reject',
    });
    expect(plan.stages.every(({ not_assessable }: { not_assessable: number }) => not_assessable === 0)).toBe(
      true,
    );
    expect(plan.after.action_coverage.status).toBe('measured');
    expect((await curate(...stages)).plan).toEqual(plan);
  });

  it('finds an exact copy, knows operators that a file names, and recommends without being told a strategy', async () => {
    const file = join(folder, 'operators.csv');
    writeFileSync(file, 'episode,operator\nepisode_000000,ann\nepisode_000001,ann\nepisode_000003,ben\n');
    const { plan } = await curate('--operators', file, '--strategy', 'balance:by=operator', '--json');
    expect(plan.before.by_operator).toContainEqual(expect.objectContaining({ value: 'ann', episodes: 2 }));
    expect(plan.stages[0].not_assessable).toBe(5);
    const recommended = await curate();
    expect(recommended.err).toContain('recommended stage Decision filter');
    expect(recommended.out).toContain('Nothing was written');
  });

  it('writes a plan that an export takes, with the reasons, and that cannot be changed unseen', async () => {
    const file = join(folder, 'plan.json');
    await curate('--strategy', 'decision', '--strategy', 'random:keep=0.4', '--out', file, '--dry-run');
    expect(existsSync(file)).toBe(false);
    const { code } = await curate('--strategy', 'decision', '--strategy', 'random:keep=0.4', '--out', file);
    expect(code).toBe(0);
    const plan = JSON.parse(readFileSync(file, 'utf8'));
    const out = join(folder, 'training');
    const exported = await runAssay(['export', set, '--plan', file, '--out', out, '--json']);
    const lineage = JSON.parse(exported.out);
    expect(lineage.kept.map(({ id }: { id: string }) => id)).toEqual(plan.kept);
    const reasons = lineage.dropped.map(({ reason }: { reason: string }) => reason);
    expect(reasons).toContain('dropped by Random subset: not drawn');
    writeFileSync(file, JSON.stringify({ ...plan, kept: [...plan.kept, 'episode_000002'] }));
    const changed = await runAssay(['export', set, '--plan', file, '--dry-run']);
    expect(changed).toMatchObject({ code: 1 });
    expect(changed.err).toContain('was changed since');
    const again = await curate('--plan', join(folder, 'none.json'));
    expect(again.code).toBe(3);
  });

  it.each([
    [['--strategy', 'best'], 'unknown strategy best'],
    [['--strategy', 'random:keep=2'], 'stages/0/parameters/keep'],
    [['--strategy', 'random:keep'], 'is not key=value'],
    [['--strategy', 'random', '--plan', 'x'], '--strategy and --plan'],
    [['--seed', '-1'], 'whole number'],
  ])('%j is refused as usage before anything is read', async (args, told) => {
    const { code, err } = await curate(...args);
    expect(code).toBe(2);
    expect(err).toContain(told);
  });

  it('lists its strategies with ranges and defaults', async () => {
    const { out } = await runAssay(['curate', '--list-strategies']);
    expect(out).toContain('near_duplicate (Near-duplicate removal)');
    expect(out).toContain(
      'in standard deviations of the dataset; higher values drop more, 0 to 2, default 0.05',
    );
    const { code, err } = await runAssay(['curate']);
    expect([code, err.includes('needs either a path')]).toEqual([2, true]);
  });
});
