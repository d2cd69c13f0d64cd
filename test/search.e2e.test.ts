import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { canonicalJson, sha256 } from '#core';
import { temporaryFolder } from '#test/support/lerobot-set';
import { runAssay } from './run-assay.ts';

let set: string;
let cache: string;

beforeAll(async () => {
  set = join(await temporaryFolder(), 'set');
  cache = join(await temporaryFolder(), 'cache');
  await writeTeleopLeRobot(set, 3, () => {}, {
    episodes: 6,
    plan: { 2: ['nan', 'medium'], 4: ['jump', 'medium'] },
  });
}, 120_000);

async function search(...args: string[]) {
  const ran = await runAssay(['search', set, '--json', '--cache', cache, ...args]);
  return { ...ran, answer: ran.code === 0 ? JSON.parse(ran.out) : JSON.parse(ran.out || ran.err || '{}') };
}
const idsOf = (answer: { items: { episode: { id: string } }[] }) =>
  answer.items.map(({ episode }) => episode.id);

describe('a search over a folder', { timeout: 120_000 }, () => {
  it('keeps what passes every filter, and says how many did', async () => {
    const { answer } = await search();
    expect(answer.coverage).toEqual({ matched: 6, ranked: 6, not_ranked: [] });
    const rejected = await search('--decision', 'reject');
    expect(idsOf(rejected.answer).length).toBeGreaterThan(0);
    const kept = await search('--decision', 'accept', 'review');
    expect(idsOf(kept.answer).length + idsOf(rejected.answer).length).toBe(6);
    const none = await search('--min-duration', '1e8');
    expect(none.answer).toMatchObject({ coverage: { matched: 0 }, items: [] });
  });

  it('ranks by likeness, never gives the episode itself, and names what it compared', async () => {
    const { answer } = await search('--like', '0');
    expect(answer.ranked_by).toMatchObject({ id: 'motion', version: 1 });
    expect(idsOf(answer)).not.toContain('episode_000000');
    const scores = answer.items.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    const moment = await search('--like', '0', '--from', '0', '--to', '2');
    expect(moment.answer.ranked_by.moment.from_s).toBe(0);
    expect(moment.answer.items[0].moment.to_s).toBeGreaterThan(0);
  });

  it('gives the same bytes from its index, and does not believe a damaged one', async () => {
    const first = await search('--like', '1');
    const again = await search('--like', '1');
    expect(again.out).toBe(first.out);
    const folder = join(cache, 'measured');
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const file = join(folder, name);
      try {
        const bytes = readFileSync(file);
        bytes[bytes.length >> 1] ^= 1;
        writeFileSync(file, bytes);
      } catch {
        // A folder.
      }
    }
    expect((await search('--like', '1')).out).toBe(first.out);
  });

  it('refuses what cannot be asked, and says which option', async () => {
    for (const [args, said] of [
      [['--min-score', 'NaN'], /--min-score/],
      [['--max-duration', '-1'], /--max-duration/],
      [['--outcome', "' OR 1=1 --"], /--outcome/],
      [['--text', 'x'.repeat(2000)], /--text/],
      [['--like', 'nobody'], /no episode named nobody/],
      [['--from', '1'], /--like/],
      [['--like', '0', '--from', '3', '--to', '1'], /--to after --from/],
      [['--like', '0', '--about', 'cube'], /cannot be combined/],
      [['--about', '…!?'], /no word/],
    ] as const) {
      const { code, out, err } = await search(...args);
      expect(`${out}${err}`).toMatch(said);
      expect(code).toBe(2);
    }
  });
});

describe('a slice of a folder', { timeout: 120_000 }, () => {
  const slice = (...args: string[]) => runAssay(['slice', set, '--cache', cache, ...args]);

  it('holds members with their receipts, query, coverage and hashes, the same each time', async () => {
    const folder = await temporaryFolder();
    const [one, two] = [join(folder, 'one.json'), join(folder, 'two.json')];
    for (const file of [one, two])
      expect((await slice('--like', '0', '--most', '3', '--name', 'near', '--out', file)).code).toBe(0);
    expect(readFileSync(two, 'utf8')).toBe(readFileSync(one, 'utf8'));
    const { schema, response_hash, name: _, ...rest } = JSON.parse(readFileSync(one, 'utf8'));
    expect(schema).toBe('assay/slice/v1');
    expect(sha256(canonicalJson(rest))).toBe(response_hash);
    expect(rest.members).toHaveLength(3);
    for (const { receipt } of rest.members) expect(receipt).toMatch(/^[0-9a-f]{64}$/);
    const found = await search('--like', '0', '--most', '3');
    expect(rest.members.map(({ id }: { id: string }) => id)).toEqual(idsOf(found.answer));
  });

  it('is not written over, and not written by a dry run', async () => {
    const file = join(await temporaryFolder(), 'slice.json');
    expect((await slice('--out', file, '--dry-run')).out).toMatch(/would contain 6 episodes/);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'mine');
    const again = await slice('--out', file);
    expect([again.code, readFileSync(file, 'utf8')]).toEqual([2, 'mine']);
    expect((await slice()).code).toBe(2);
    const nowhere = await slice('--out', join(file, 'below.json'));
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.not.stringContaining('measuring')]);
    expect((await slice('--project', 'arms')).err).toMatch(/path or --project/);
  });
});
