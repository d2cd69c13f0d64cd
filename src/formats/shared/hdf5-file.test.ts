import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hdf5File } from '@assay/hdf5/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AssayError } from '#core';
import { openSourceTree } from '#io/sources';
import { isHdf5, nullIfUnreadable, openHdf5 } from './hdf5-file.ts';

const scratch = join(tmpdir(), `assay-hdf5-file-${process.pid}`);
beforeAll(() => void mkdirSync(scratch, { recursive: true }));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function treeOf(bytes: Uint8Array) {
  const path = join(scratch, 'one.h5');
  writeFileSync(path, bytes);
  return openSourceTree(path);
}

const good = hdf5File({ arrays: { x: { values: Float32Array.of(1, 2), shape: [2] } } });

function addressOf(place: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(place));
  return bytes;
}

it('is told by its first bytes, and by those behind a user block', async () => {
  for (const bytes of [good, Buffer.concat([Buffer.alloc(512), good])])
    expect(await isHdf5(await treeOf(bytes), 'one.h5')).toBe(true);
  for (const bytes of [Buffer.alloc(0), Buffer.from('short'), Buffer.alloc(9000)])
    expect(await isHdf5(await treeOf(bytes), 'one.h5')).toBe(false);
});

it('throws the errors of this project, with the file named', async () => {
  await expect(openHdf5(await treeOf(Buffer.alloc(600)), 'one.h5')).rejects.toEqual(
    new AssayError('unreadable_input', 'one.h5 has no HDF5 signature', {
      path: 'one.h5',
      advice: 'a killed recorder leaves such files; record or copy it again',
    }),
  );
});

it('gives null for what is damaged in it, and throws on what is a fault of the disk', async () => {
  const values = Buffer.from(Float32Array.of(1, 2).buffer);
  const bytes = Buffer.from(good);
  // Where the array lies becomes a place behind the end of the file.
  bytes.writeBigUInt64LE(1_000_000n, bytes.indexOf(addressOf(good.indexOf(values))));
  const file = await openHdf5(await treeOf(bytes), 'one.h5');
  const dataset = await file.root.dataset('x');
  const reading = dataset!.readNumbers();
  await expect(reading).rejects.toThrow(AssayError);
  expect(await nullIfUnreadable(reading)).toBeNull();
  await expect(nullIfUnreadable(Promise.reject(new Error('EIO')))).rejects.toThrow('EIO');
  await file.close();
});
