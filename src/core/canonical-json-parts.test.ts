import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalParts, sha256, sha256OfParts } from './canonical-json.ts';

describe('canonical text in pieces', () => {
  it('is the canonical text, and hashes as it does', () => {
    const member = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(undefined));
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), member), (value) => {
        expect([...canonicalParts(value)].join('')).toBe(canonicalJson(value));
        expect(sha256OfParts(canonicalParts(value))).toBe(sha256(canonicalJson(value)));
      }),
    );
  });
});
