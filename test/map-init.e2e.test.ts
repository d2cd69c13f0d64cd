import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAssay } from './run-assay.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-map-'));
  const rows = Array.from({ length: 50 }, (_, row) => `${(row * 1.003) / 30},${row / 10},${row % 2}`);
  writeFileSync(join(folder, 'run.csv'), `time_s,joint_1,gripper\n${rows.join('\n')}\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('assay map init', () => {
  it('is what an unmapped folder leads to, and leads to one that can be inspected', async () => {
    const before = await runAssay(['inspect', folder]);
    expect(before.code).toBe(3);
    expect(before.err).toContain('assay map init');
    const made = await runAssay(['map', 'init', folder]);
    expect(made.code, made.err).toBe(0);
    expect(made.out).toContain('assay.map.yaml');
    const after = await runAssay(['inspect', folder]);
    expect(after.code, after.err).toBe(0);
    expect(after.out).toMatch(/because assay.map.yaml is a signal mapping/);
    expect(after.out).toMatch(/joint +state +\[2\]/);
  });

  it('never overwrites a mapping, and prints one where that is all that is wanted', async () => {
    const file = join(folder, 'assay.map.yaml');
    writeFileSync(file, 'mine');
    const { code, err } = await runAssay(['map', 'init', folder]);
    expect(code).toBe(2);
    expect(err).toContain('already exists');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const printed = await runAssay(['map', 'init', folder, '--print']);
    expect(printed.out).toContain('assay_map: 1');
  });
});

describe('assay map check', () => {
  it('passes a proposed mapping, and exits with 1 and the nearest name for one that does not fit', async () => {
    expect((await runAssay(['map', 'init', folder, '--yes'])).code).toBe(0);
    const fits = await runAssay(['map', 'check', folder]);
    expect(fits.code, fits.err).toBe(0);
    expect(fits.out).toMatch(/joint +state +joint_1, gripper +\[2\] +50/);
    expect(fits.out).toContain('The mapping fits the recordings');
    const draft = join(folder, 'draft.yaml');
    writeFileSync(
      draft,
      readFileSync(join(folder, 'assay.map.yaml'), 'utf8').replaceAll('joint_1', 'joint_l'),
    );
    const { code, out } = await runAssay(['map', 'check', folder, '--mapping', draft, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, findings: [{ evidence: { nearest: 'joint_1' } }] });
  });

  it('exits with 3 without recordings, and with 2 for an address', async () => {
    writeFileSync(
      join(folder, 'assay.map.yaml'),
      'assay_map: 1\nepisodes: { files: "{episode}.h5" }\nstreams: [{ id: a, role: state, columns: [a] }]\n',
    );
    expect((await runAssay(['map', 'check', folder])).code).toBe(3);
    expect((await runAssay(['map', 'check', 'https://example.org/a'])).code).toBe(2);
  });
});
