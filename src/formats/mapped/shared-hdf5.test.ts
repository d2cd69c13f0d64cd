import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hdf5File } from '@assay/hdf5/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSourceTree, type SourceTree } from '#io/sources';
import { moving } from '#test/support/hdf5-recordings';
import { SharedHdf5Files } from './shared-hdf5.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-shared-hdf5-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('opens a file once for all its groups, and closes it when the last table is released', async () => {
  const run = (rows: number) => ({ arrays: { q: moving(rows, 2) } });
  for (const name of ['a', 'b'])
    writeFileSync(
      join(folder, `${name}.h5`),
      hdf5File({ groups: { data: { groups: { run_1: run(3), run_2: run(5) } } } }),
    );
  const tree = await openSourceTree(folder);
  let [opened, closed] = [0, 0];
  const counting: SourceTree = {
    ...tree,
    openFile: async (path) => {
      opened++;
      const file = await tree.openFile(path);
      const close = async () => {
        closed++;
        await file.close();
      };
      return { read: file.read.bind(file), close, [Symbol.asyncDispose]: close };
    },
  };
  const files = new SharedHdf5Files(counting);
  const first = await files.open('a.h5', 'data/run_1');
  const second = await files.open('a.h5', 'data/run_2');
  expect([first, second].map(({ top }) => top?.path)).toEqual(['/data/run_1', '/data/run_2']);
  const absent = await files.open('a.h5', 'data/run_3');
  expect(absent.top).toBeNull();
  expect(opened).toBe(1);
  await first.release();
  await absent.release();
  const other = await files.open('b.h5', 'data/run_1');
  expect({ opened, closed }).toEqual({ opened: 2, closed: 0 });
  expect((await second.top?.dataset('q'))?.rows).toBe(5);
  await second.release();
  expect(closed).toBe(1);
  await other.release();
  await files.close();
  expect(closed).toBe(2);
});
