import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bytesInMemory,
  Hdf5Error,
  type Hdf5File,
  headBytes,
  isHdf5,
  type Met,
  openHdf5,
  toFloats,
  walkDatasets,
} from './index.ts';

const shared = join(import.meta.dirname, '../../../../shared/data/hdf5');
const present = existsSync(shared);
const unless = present ? '' : ' (skipped without ../shared/data)';
const snake = join(shared, 'isaaclab-snake/annotated_dataset.hdf5');

async function opened<T>(path: string, bytes: Uint8Array, use: (file: Hdf5File) => Promise<T>): Promise<T> {
  const file = await openHdf5(bytesInMemory(bytes), { path, bytes: bytes.length });
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function met(file: Hdf5File): Promise<Met[]> {
  const all: Met[] = [];
  for await (const one of walkDatasets(file.root, { names: 10_000, depth: 16 })) all.push(one);
  return all;
}

describe.skipIf(!present)(`real HDF5 files${unless}`, () => {
  it('give attributes, shapes and rows', async () => {
    await opened('snake.hdf5', readFileSync(snake), async (file) => {
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

  it('are told by their first bytes, and by those behind a user block', () => {
    const bytes = readFileSync(snake);
    const blocked = Buffer.concat([Buffer.alloc(512), bytes]);
    for (const whole of [bytes, blocked]) expect(isHdf5(whole.subarray(0, headBytes))).toBe(true);
    expect(isHdf5(Buffer.from('no HDF5 at all, only its name'))).toBe(false);
  });

  it('are opened from a file handle by ranges, and closed with it', async () => {
    const handle = await open(snake);
    const file = await openHdf5(handle, { bytes: (await handle.stat()).size });
    expect([...(await file.root.links()).keys()]).toContain('data');
    await file.close();
    await expect(handle.stat()).rejects.toThrow('closed');
  });

  it('that were cut off say so, and every array before the cut is read', async () => {
    const bytes = readFileSync(snake);
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.9));
    await opened('cut.h5', cut, async (file) => {
      expect(file.findings.map(({ code }) => code)).toEqual(['file_truncated']);
      let read = 0;
      let lost = 0;
      for (const one of await met(file)) {
        const answer = one.kind === 'dataset' ? await one.dataset.readBytes().catch((error) => error) : one;
        if (answer instanceof Uint8Array) read++;
        else {
          lost++;
          if (answer instanceof Hdf5Error) expect(answer.message).toMatch(/cut\.h5 is corrupt at/);
        }
      }
      expect(read).toBeGreaterThan(50);
      expect(lost).toBeGreaterThan(0);
    });
  });

  it('that lost their first bytes are refused in words', async () => {
    const hollow = Buffer.from(readFileSync(snake)).fill(0, 0, 200);
    await expect(opened('hollow.h5', hollow, async () => {})).rejects.toThrow(/has no HDF5 signature/);
  });
});
