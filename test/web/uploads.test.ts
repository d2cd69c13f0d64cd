import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Sha256 } from '../../web/src/screens/sources/uploads/sha256.ts';
import { uploadName } from '../../web/src/screens/sources/uploads/upload-name.ts';

const noise = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 2654435761) >>> 13);

it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_003])(
  'the hash of %i bytes is SHA-256, however they come',
  (length) => {
    const bytes = noise(length);
    const expected = createHash('sha256').update(bytes).digest('hex');
    for (const piece of [1, 7, 64, 1000, length + 1]) {
      const hash = new Sha256();
      for (let at = 0; at < length; at += piece) hash.add(bytes.subarray(at, at + piece));
      expect(hash.digest()).toBe(expected);
    }
  },
);

it('an upload is called by the folder that all lie in, else by the first', () => {
  const of = (...paths: string[]) => uploadName(paths.map((path) => ({ path })));
  expect(of('take/a', 'take/b/c')).toBe('take');
  expect(of('a.mcap')).toBe('a.mcap');
  expect(of('a.mcap', 'b.mcap', 'c.mcap')).toBe('a.mcap and 2 more');
});
