import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './page.ts';

it('reads what it wrote, which is one word without long runs', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const word = encodeCursor(value);
      expect(word).toMatch(/^[\w-]{1,32}(\.[\w-]{1,32})*$/);
      expect(JSON.stringify(decodeCursor(word))).toBe(JSON.stringify(value));
    }),
  );
});

it('makes nothing of other words', () => {
  for (const word of ['', '.', 'next', 'WyJh']) expect(decodeCursor(word)).toBeNull();
});
