import { afterEach, describe, expect, it } from 'vitest';
import { packBzip2 } from '#test/support/bzip2';
import { unpackBzip2 } from './bzip2.ts';
import { UnpackAhead } from './unpack-ahead.ts';

const size = 20_000;
const packed = Array.from({ length: 16 }, (_, i) =>
  packBzip2(Uint8Array.from({ length: size }, (_, at) => (at % 7) * i + (at & 3))),
);
packed[7][40] ^= 1;
packed[11] = packed[11].subarray(0, 60);
const expected = packed.map((one) => unpackBzip2(one, size));

const badThread = new URL('../../../../test/support/bad-unpack-thread.ts', import.meta.url);
const endlessThread = new URL('../../../../test/support/endless-unpack-thread.ts', import.meta.url);
const noThread = new URL('./no-such-thread.ts', import.meta.url);

let ahead: UnpackAhead;
afterEach(() => ahead.close());

/** Else the calling thread would have done everything before. */
const threadsAreThere = () => new Promise((resolve) => setTimeout(resolve, 300));

/** Offers what there is room for and takes one after another, as a walk does. */
async function takeAll(): Promise<unknown[]> {
  const taken: unknown[] = [];
  let offered = 0;
  for (let i = 0; i < packed.length; i++) {
    while (offered < Math.min(packed.length, i + 6) && ahead.offer(offered, packed[offered], size)) offered++;
    offered = Math.max(offered, i + 1);
    if (i === 0) await threadsAreThere();
    taken.push((await ahead.take(i)) ?? unpackBzip2(packed[i], size));
  }
  return taken;
}

describe('unpacking ahead', () => {
  it.each([1, 3])(
    'gives what was offered in the order of asking, faults too, with %i threads',
    async (threads) => {
      ahead = new UnpackAhead(threads);
      expect(expected.map(({ fault }) => fault === null).filter((whole) => !whole)).toHaveLength(2);
      expect(await takeAll()).toEqual(expected);
    },
  );

  it.each([badThread, noThread])('unpacks itself what a lost thread had (%s)', async (program) => {
    ahead = new UnpackAhead(2, program);
    expect(await takeAll()).toEqual(expected);
    await expect.poll(() => ahead.offer(100, packed[0], size), { timeout: 20_000 }).toBe(false);
  });

  it('takes no more than it may hold, and has room again when it was taken or passed over', async () => {
    ahead = new UnpackAhead(1);
    const large = 7_000_000;
    expect(ahead.offer(0, packed[0], 17_000_000)).toBe(false);
    expect([1, 2, 3].map((key) => ahead.offer(key, packed[0], large))).toEqual([true, true, false]);
    expect((await ahead.take(2))?.bytes).toEqual(expected[0].bytes);
    expect([ahead.take(1), ahead.take(3)]).toEqual([null, null]);
    expect([4, 5, 6].map((key) => ahead.offer(key, packed[0], large))).toEqual([true, true, false]);
  });

  it('ends a thread that does not answer', async () => {
    ahead = new UnpackAhead(1, endlessThread);
    for (let key = 0; key < 4; key++) ahead.offer(key, packed[0], size);
    await threadsAreThere();
    await ahead.close();
    expect(ahead.take(0)).toBe(null);
  });
});
