import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError } from '#kernel';
import { openSourceTree } from '../bytes/source-tree.ts';
import { type Hdf5File, type Met, openHdf5, toFloats, walkDatasets } from './index.ts';
import { isHdf5 } from './signature.ts';

const shared = join(import.meta.dirname, '../../../../shared/data/hdf5');
const present = existsSync(shared);
const unless = present ? '' : ' (skipped without ../shared/data)';
const snake = join(shared, 'isaaclab-snake/annotated_dataset.hdf5');
const scratch = join(tmpdir(), `assay-hdf5-${process.pid}`);

beforeAll(() => void mkdirSync(scratch, { recursive: true }));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function opened<T>(path: string, use: (file: Hdf5File) => Promise<T>): Promise<T> {
  const tree = await openSourceTree(path);
  const file = await openHdf5(tree, tree.files[0].path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

function written(name: string, bytes: Uint8Array): string {
  const path = join(scratch, name);
  writeFileSync(path, bytes);
  return path;
}

async function met(file: Hdf5File): Promise<Met[]> {
  const all: Met[] = [];
  for await (const one of walkDatasets(file.root, { names: 10_000, depth: 16 })) all.push(one);
  return all;
}

describe.skipIf(!present)(`real HDF5 files${unless}`, () => {
  it('give attributes, shapes and rows', async () => {
    await opened(snake, async (file) => {
      expect(file.findings).toEqual([]);
      const data = await file.root.group('data');
      expect(await data?.attributes.number('total')).toBe(2163);
      const actions = await file.root.dataset('data/demo_0/actions');
      expect(actions?.shape).toHaveLength(2);
      const all = toFloats((await actions?.readNumbers()) ?? new Float32Array());
      const some = toFloats((await actions?.readNumbers(3, 5)) ?? new Float32Array());
      const { rowElements } = actions ?? { rowElements: 0 };
      expect(some).toEqual(all.slice(3 * rowElements, 5 * rowElements));
      await expect(actions?.readNumbers(0, 1e9)).rejects.toThrow(RangeError);
    });
  });

  it('are told by their first bytes, and by those behind a user block', async () => {
    const bytes = readFileSync(snake);
    const blocked = written('blocked.bin', Buffer.concat([Buffer.alloc(512), bytes]));
    for (const path of [snake, blocked]) {
      const tree = await openSourceTree(path);
      expect(await isHdf5(tree, tree.files[0].path)).toBe(true);
    }
    const other = await openSourceTree(written('text.h5', Buffer.from('no HDF5 at all, only its name')));
    expect(await isHdf5(other, 'text.h5')).toBe(false);
  });

  it('that were cut off say so, and every array before the cut is read', async () => {
    const bytes = readFileSync(snake);
    const cut = written('cut.h5', bytes.subarray(0, Math.floor(bytes.length * 0.9)));
    await opened(cut, async (file) => {
      expect(file.findings.map(({ code }) => code)).toEqual(['file_truncated']);
      let read = 0;
      let lost = 0;
      for (const one of await met(file)) {
        const answer = one.kind === 'dataset' ? await one.dataset.readBytes().catch((error) => error) : one;
        if (answer instanceof Uint8Array) read++;
        else {
          lost++;
          if (answer instanceof AssayError) expect(answer.message).toMatch(/cut\.h5 is damaged at/);
        }
      }
      expect(read).toBeGreaterThan(50);
      expect(lost).toBeGreaterThan(0);
    });
  });

  it('that lost their first bytes are refused in words', async () => {
    const hollow = Buffer.from(readFileSync(snake)).fill(0, 0, 200);
    await expect(opened(written('hollow.h5', hollow), async () => {})).rejects.toThrow(
      /carries no HDF5 signature/,
    );
  });
});
