import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSourceTree } from '../source-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-folder-files-'));
beforeAll(() => {
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/b/c.txt'), 'text');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('names, reads and holds the files of a tree and of trees below it by the same place', async () => {
  const top = await openSourceTree(folder);
  for (const [tree, path] of [
    [top, 'a/b/c.txt'],
    [top.subtree('a'), 'b/c.txt'],
    [top.subtree('a').subtree('b'), 'c.txt'],
  ] as const) {
    const absolute = join(folder, 'a/b/c.txt');
    expect(await tree.text(path)).toBe('text');
    expect(Buffer.from(await tree.head(path, 2)).toString()).toBe('te');
    expect(tree.absolute(path)).toBe(absolute);
    for (const held of [await tree.acquire([path]), await tree.acquireTail(path, 2)]) {
      expect(held.absolute(path)).toBe(absolute);
      await held.release();
    }
    await expect(tree.read('none.txt')).rejects.toMatchObject({ code: 'not_found' });
    expect(tree.store).toBeNull();
  }
});

it('takes one file for a tree of it', async () => {
  const tree = await openSourceTree(join(folder, 'a/b/c.txt'));
  expect([tree.root, tree.files]).toEqual([join(folder, 'a/b'), [{ path: 'c.txt', bytes: 4 }]]);
  expect(await tree.text('c.txt')).toBe('text');
});
