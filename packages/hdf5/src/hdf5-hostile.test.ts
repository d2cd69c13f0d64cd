import { describe, expect, it } from 'vitest';
import { armEpisode, demonstrations, smallFile } from '../testing/examples.ts';
import { seededRandom } from '../testing/random.ts';
import { hdf5File } from '../testing/write-file.ts';
import { bytesInMemory, Hdf5Error, type Hdf5File, openHdf5, walkDatasets } from './index.ts';

async function opened<T>(bytes: Uint8Array, use: (file: Hdf5File) => Promise<T>): Promise<T> {
  const file = await openHdf5(bytesInMemory(bytes), { path: 'one.h5', bytes: bytes.length });
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Reads all there is; only an Hdf5Error may keep it from that. */
async function readAll(bytes: Uint8Array): Promise<number> {
  let read = 0;
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      read++;
    } catch (thrown) {
      if (!(thrown instanceof Hdf5Error)) throw thrown;
      expect(thrown.path).toBe('one.h5');
    }
  };
  await attempt(() =>
    opened(bytes, async ({ root }) => {
      for (const name of await root.attributes.names()) await attempt(() => root.attributes.get(name));
      for await (const met of walkDatasets(root, { names: 1000, depth: 8 })) {
        if (met.kind !== 'dataset') continue;
        const { dataset } = met;
        const rows = Math.min(dataset.rows, Math.floor(1e7 / Math.max(1, dataset.rowBytes)));
        await attempt(() => (dataset.isNumeric ? dataset.readNumbers(0, rows) : dataset.readItems(0, rows)));
      }
    }),
  );
  return read;
}

/** A file whose bytes were changed where `find` lies, from `offset` on. */
function changed(bytes: Buffer, find: Buffer, offset: number, to: readonly number[]): Buffer {
  const at = bytes.indexOf(find);
  expect(at).toBeGreaterThan(0);
  Buffer.from(to).copy(bytes, at + offset);
  return bytes;
}

describe('hostile HDF5', () => {
  it.each([
    ['small', smallFile],
    ['episode', armEpisode],
    ['demonstrations', demonstrations],
  ] as const)(
    'of the kind %s, changed at random, ends in values or in words',
    async (_, content) => {
      const whole = hdf5File(content);
      const random = seededRandom(5);
      const below = (limit: number) => Math.floor(random.next() * limit);
      let read = 0;
      for (let round = 0; round < 100; round++) {
        const bytes = Buffer.from(whole);
        for (let i = 0; i < 1 + below(5); i++) {
          const at = below(bytes.length - 8);
          const kind = below(4);
          if (kind < 2) bytes[at] = below(256);
          else if (kind === 2) bytes.writeUInt32LE(below(2 ** 32), at);
          else bytes.fill(255 * below(2), at, at + 8);
        }
        read += await readAll(below(6) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes);
      }
      expect(read).toBeGreaterThan(100);
    },
    60_000,
  );

  it('that unpacks to more than its chunk is refused', async () => {
    const zeros = { values: new Uint8Array(1_000_000), shape: [1_000_000], gzip_rows: 1_000_000 };
    const bytes = hdf5File({ arrays: { zeros } });
    // The chunk of the layout: 1,000,000 becomes 1,000.
    const layout = Buffer.from([3, 2, 2]);
    const at = bytes.indexOf(layout);
    bytes.writeUInt32LE(1000, at + 11);
    await opened(bytes, async ({ root }) => {
      const dataset = await root.dataset('zeros');
      await expect(dataset?.readBytes(0, 1000)).rejects.toThrow(
        /one\.h5 is corrupt at \/zeros, the chunk at \[0\]/,
      );
    });
  });

  it('that says it is larger than memory takes none', async () => {
    const bytes = hdf5File({ arrays: { x: { values: Float64Array.of(1), shape: [1] } } });
    changed(bytes, Buffer.from([2, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]), 4, [0, 0, 0, 0, 0, 0, 1, 0]);
    await opened(bytes, async ({ root }) => {
      const dataset = await root.dataset('x');
      expect(dataset?.rows).toBe(2 ** 48);
      await expect(dataset?.readNumbers()).rejects.toThrow(/are beyond the end of the file/);
    });
  });

  it('whose groups go round in circles is walked once', async () => {
    const bytes = hdf5File({ groups: { inner: { groups: { again: {} } } } });
    const root = bytes.readBigUInt64LE(64);
    const name = Buffer.from('again');
    bytes.writeBigUInt64LE(root, bytes.indexOf(name) + name.length);
    await opened(bytes, async (file) => {
      const met = [];
      for await (const one of walkDatasets(file.root, { names: 100, depth: 50 })) met.push(one);
      expect(met).toEqual([]);
      expect((await file.root.group('inner/again/inner/again'))?.address).toBe(file.root.address);
    });
    await expect(opened(bytes, ({ root }) => root.open('inner/again/'.repeat(50)))).rejects.toThrow(
      /a path with 100 parts/,
    );
  });

  it('whose header goes on in itself ends', async () => {
    const bytes = hdf5File(smallFile);
    const root = Number(bytes.readBigUInt64LE(64));
    // The first message of the root becomes a continuation that leads to the header's own messages.
    bytes.writeUInt16LE(0x10, root + 16);
    bytes.writeBigUInt64LE(BigInt(root + 16), root + 24);
    bytes.writeBigUInt64LE(200n, root + 32);
    await expect(opened(bytes, async () => {})).rejects.toThrow(
      /cycle in an object header|truncated block|no object/,
    );
  });

  it('that was not closed, or cut, is refused in words', async () => {
    const unclosed = hdf5File(smallFile);
    unclosed.writeBigUInt64LE(0n, 64);
    await expect(opened(unclosed, async () => {})).rejects.toThrow(/was not closed/);
    const cut = hdf5File(smallFile).subarray(0, 200);
    await expect(opened(cut, async () => {})).rejects.toThrow(/is truncated: 200 of/);
    await expect(opened(Buffer.alloc(600), async () => {})).rejects.toThrow(/has no HDF5 signature/);
    await expect(opened(Buffer.alloc(0), async () => {})).rejects.toThrow(/has no HDF5 signature/);
  });
});
