import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bagBytes, levels } from '#test/support/db3-files';
import { planFixes, resolveFixTarget } from './index.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-fix-away-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
const options = { stamps: false, video: false };
function folderOf(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, name, path)), { recursive: true });
    writeFileSync(join(scratch, name, path), content);
  }
  return join(scratch, name);
}

const plan = async (path: string) => planFixes(await resolveFixTarget(path), options);

describe('files that hold nothing to mend', () => {
  it('are told as what they are, alone and in a folder', async () => {
    const fetch = expect.stringContaining('git lfs pull');
    const folder = folderOf('away', { 'a.mcap': pointer, 'b.bag': pointer, 'c.json': '' });
    await expect(plan(folder)).rejects.toMatchObject({
      code: 'not_recognised',
      message: expect.stringMatching(/2 files are Git LFS pointers.*: a\.mcap, b\.bag; c\.json is empty/),
      advice: fetch,
    });
    await expect(plan(join(folder, 'b.bag'))).rejects.toMatchObject({
      message: expect.stringContaining('b.bag is a Git LFS pointer, not the file itself'),
      advice: fetch,
    });
    const empty = folderOf('empty', { 'a.mcap': '' });
    for (const path of [empty, join(empty, 'a.mcap')])
      await expect(plan(path)).rejects.toMatchObject({
        message: expect.stringContaining('a.mcap is empty (0 bytes)'),
        advice: expect.stringContaining('copy them again'),
      });
  });

  it('stay unfixed beside recordings, whose bag is not described without them', async () => {
    const parts = {
      'bag_0.db3': bagBytes(levels(5)),
      'bag_1.db3': pointer,
      'bag_2.db3': '',
      'notes.json': '',
    };
    const { changes, unfixed } = await plan(folderOf('beside', parts));
    expect(changes).toEqual([]);
    expect(unfixed.map(({ code, path }) => [code, path])).toEqual([
      ['lfs_pointer', 'bag_1.db3'],
      ['file_empty', 'bag_2.db3'],
    ]);
  });
});
