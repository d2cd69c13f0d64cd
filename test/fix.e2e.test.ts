import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modes } from './lerobot-modes/modes/index.ts';
import { planModes, Studios } from './lerobot-modes/plan.ts';
import { writeSet } from './lerobot-modes/write-set.ts';
import { runAssay } from './run-assay.ts';
import { treeHash } from './support/tree-hash.ts';

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-cli-'));
const original = join(scratch, 'original');
const video = 'videos/observation.images.front/chunk-000/file-000.mp4';

async function copy(name: string): Promise<string> {
  const root = join(scratch, name);
  await cp(original, root, { recursive: true });
  return root;
}

const infoOf = (root: string) => JSON.parse(readFileSync(join(root, 'meta/info.json'), 'utf8'));

describe('assay fix', () => {
  beforeAll(async () => {
    const planted = ['total_frames_wrong', 'timestamps_start_late'].map(
      (id) => modes.find((mode) => mode.id === id)!,
    );
    await writeSet(planModes('cli', planted, 'v3.0', 1, new Studios())!.set, original);
  }, 120_000);
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  it('says what it would change and what it leaves, and writes nothing', { timeout: 120_000 }, async () => {
    const before = treeHash(original);
    const { code, out } = await runAssay(['fix', original]);
    expect(code).toBe(1);
    expect(out).toContain('total_frames');
    expect(out).toMatch(/Not fixed.*--stamps/s);
    expect(out).toContain('Nothing was written');
    expect(existsSync(join(original, '.assay-fix'))).toBe(false);
    expect(treeHash(original)).toBe(before);
  });

  it('applies, says so as JSON, and takes it back', { timeout: 120_000 }, async () => {
    const root = await copy('applied');
    const applied = await runAssay(['fix', root, '--apply', '--stamps', '--json']);
    expect(applied.code).toBe(0);
    const said = JSON.parse(applied.out);
    expect(said).toMatchObject({ format: 'lerobot', state: 'applied', unfixed: [] });
    expect(said.changes[0]).toMatchObject({
      fix: expect.any(String),
      answers: expect.any(Array),
      before: expect.any(String),
    });
    const again = await runAssay(['fix', root, '--stamps']);
    expect([again.code, again.out]).toEqual([0, 'Nothing to fix.\n']);
    expect((await runAssay(['fix', root, '--undo'])).code).toBe(0);
    expect(treeHash(root)).toBe(treeHash(original));
    expect((await runAssay(['fix', root, '--undo'])).code).toBe(3);
  });

  it('refuses a place for the copy, and tables that Git LFS has not fetched, before it looks', async () => {
    const file = join(scratch, 'file');
    writeFileSync(file, 'mine');
    for (const out of [file, join(original, 'below'), ...(existsSync('/proc/self') ? ['/proc/assay'] : [])]) {
      const { code, err } = await runAssay(['fix', original, '--out', out]);
      expect([code, err]).toEqual([2, expect.not.stringContaining('scanning')]);
    }
    const root = await copy('pointers');
    const table = 'data/chunk-000/file-000.parquet';
    writeFileSync(join(root, table), 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n');
    const { code, err } = await runAssay(['fix', root]);
    expect([code, err]).toEqual([3, expect.stringContaining(`1 table is a Git LFS pointer: ${table}`)]);
    expect(err).toContain('git lfs pull');
  });

  it('that is stopped says so, without a stack', async () => {
    const { code, err } = await runAssay(['fix', original], {
      onError: (said, child) => {
        if (said.includes('scanning')) child.kill('SIGINT');
      },
    });
    expect([code, err]).toEqual([
      4,
      expect.stringMatching(/cancelled while planning fixes; nothing was changed\n$/),
    ]);
  });

  it('does not undo over a file that was changed since', { timeout: 120_000 }, async () => {
    const root = await copy('changed');
    await runAssay(['fix', root, '--apply']);
    writeFileSync(join(root, 'meta/info.json'), JSON.stringify({ ...infoOf(root), robot_type: 'other' }));
    const { code, err } = await runAssay(['fix', root, '--undo']);
    expect(code).toBe(2);
    expect(err).toContain('was modified after it was fixed');
    expect(infoOf(root).robot_type).toBe('other');
  });

  it('writes a mended copy whose tables are its own', { timeout: 120_000 }, async () => {
    const root = await copy('source');
    const before = treeHash(root);
    const out = join(scratch, 'out');
    expect((await runAssay(['fix', root, '--stamps', '--out', out])).code).toBe(0);
    expect(treeHash(root)).toBe(before);
    expect(infoOf(out).total_frames).not.toBe(infoOf(root).total_frames);
    const inodes = (path: string) => [root, out].map((folder) => statSync(join(folder, path)).ino);
    for (const path of ['meta/info.json', 'meta/tasks.parquet', 'data/chunk-000/file-000.parquet'])
      expect(new Set(inodes(path)).size, path).toBe(2);
    expect(readFileSync(join(out, video)).equals(readFileSync(join(root, video)))).toBe(true);
    expect((await runAssay(['fix', root, '--out', out])).code).toBe(2);
  });

  it('writes through no link that leads out of the dataset', { timeout: 120_000 }, async () => {
    const root = await copy('linked');
    const outside = join(scratch, 'outside');
    await cp(join(root, 'meta'), outside, { recursive: true });
    await rm(join(root, 'meta'), { recursive: true });
    await symlink(outside, join(root, 'meta'));
    const before = treeHash(outside);
    const { code, err } = await runAssay(['fix', root, '--apply']);
    expect(code).toBe(3);
    expect(err).toContain('--out');
    expect(treeHash(outside)).toBe(before);
  });

  it('believes no journal that names places outside', { timeout: 120_000 }, async () => {
    const root = await copy('forged');
    const victim = join(scratch, 'victim.txt');
    writeFileSync(victim, 'mine');
    const folder = join(root, '.assay-fix/2026-01-01T00-00-00.000Z');
    mkdirSync(folder, { recursive: true });
    const entry = { path: '../victim.txt', does: 'create', sha256_before: null, sha256_after: null };
    const manifest = {
      version: 1,
      created: 'now',
      state: 'undoing',
      changes: [],
      folders: [],
      entries: [entry],
    };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    expect((await runAssay(['fix', root, '--undo'])).code).toBe(3);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  it('names what it cannot mend at all', { timeout: 120_000 }, async () => {
    const { code, err } = await runAssay(['fix', scratch]);
    expect(code).toBe(3);
    expect(err).toContain('the folder that contains meta/');
  });
});
