import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#core';
import type { Receipt } from '#core/api';
import { runAssay } from './run-assay.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-recipes-'));
const [recordings, recipe, out] = ['recordings', 'recipe.yaml', 'out'].map((name) => join(folder, name));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  mkdirSync(recordings);
  writeFileSync(
    join(recordings, 'assay.map.yaml'),
    `assay_map: 1
episodes: {files: '{episode}.csv'}
clocks: [{column: t, unit: s, provenance: hardware}]
streams: [{id: q, role: state, columns: [a]}, {id: enable, role: other, columns: [on]}]
`,
  );
  for (const [name, shift] of [
    ['one', 0],
    ['two', 1.5],
  ] as const) {
    const rows = Array.from({ length: 1000 }, (_, row) => {
      const on = (row >= 100 && row < 400) || row >= 600 ? 1 : 0;
      return `${row / 50},${Math.sin(row / 30 + shift)},${on}`;
    });
    writeFileSync(join(recordings, `${name}.csv`), `t,a,on\n${rows.join('\n')}\n`);
  }
  writeFileSync(
    recipe,
    'assay_recipe: 1\nsplit: {by: value, stream: enable, equals: 1}\nmax_length_s: 5\noverlap_s: 1\n',
  );
});

interface Printed {
  readonly dataset: { readonly episodes: number };
  readonly receipts: readonly Receipt[];
}

describe('assay assess --recipe', () => {
  it('cuts recordings, says in each receipt how, and the same for any number of workers', async () => {
    const print = async (workers: number) =>
      (await runAssay(['assess', recordings, '--recipe', recipe, '--workers', `${workers}`, '--json'])).out;
    const [alone, together] = [await print(1), await print(2)];
    expect(together).toBe(alone);
    const { receipts }: Printed = JSON.parse(alone);
    expect(receipts.map(({ episode }) => episode.id)).toEqual(
      ['one', 'two'].flatMap((id) => [1, 2, 3, 4].map((part) => `${id}#000${part}`)),
    );
    const [{ episode }] = receipts;
    expect(episode.cut).toMatchObject({
      recording: 'one',
      part: 1,
      from_s: 2,
      begins: 'value',
      ends: 'max_length',
    });
    expect(episode.cut?.recipe).toMatchObject({ max_length_s: 5, split: { by: 'value' } });
    expect(episode.cut?.recipe_hash).toBe(sha256(canonicalJson(episode.cut?.recipe ?? null)));
  });

  it('writes how neighbours join, and receipts that verify against the source by their own recipe', async () => {
    await runAssay(['assess', recordings, '--recipe', recipe, '--out', out]);
    const plan = JSON.parse(readFileSync(join(out, 'bridge-plan.json'), 'utf8'));
    const [{ bridges }] = plan.datasets[0].recordings;
    expect(
      bridges.map(({ join, duration_s }: { join: string; duration_s: number }) => [join, duration_s]),
    ).toEqual([
      ['overlap', 1],
      ['gap', 4],
      ['overlap', 1],
    ]);
    expect(bridges[0].shared_streams).toEqual(['q', 'enable']);
    const verified = await runAssay(['verify', join(out, 'receipts'), '--source', recordings]);
    expect(verified.code, verified.err).toBe(0);
  });

  it('refuses a recipe that does not fit, naming the line', async () => {
    const bad = join(folder, 'bad.yaml');
    writeFileSync(bad, 'assay_recipe: 1\nsplit: {by: clock}\n');
    const { code, err } = await runAssay(['assess', recordings, '--recipe', bad]);
    expect(code).toBe(2);
    expect(err).toContain('line 2, split');
  });
});
