import { expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#core';
import { checkSeal } from './seal.ts';

/** Content with typical errors of canonical JSON: order of UTF-16 units, numbers, escapes, empty values. */
const content = {
  '€': 1,
  '\u{1f600}': 2,
  z: [1e21, 1e-7, -0, 0.1, 123456789012345680000, null, true],
  a: { b: {}, A: [], '"\n\u0007é': '\u2028</script>' },
};

it('a browser computes the seal that the service computed', async () => {
  const content_hash = sha256(canonicalJson(content));
  expect(await checkSeal({ ...content, content_hash })).toEqual({ state: 'holds', hash: content_hash });
  const moved = Object.fromEntries(Object.entries({ content_hash, ...content }).reverse());
  expect(await checkSeal(moved)).toMatchObject({ state: 'holds' });
});

it('a document that was changed, or has no seal, is not taken for sealed', async () => {
  const content_hash = sha256(canonicalJson(content));
  expect(await checkSeal({ ...content, z: [], content_hash })).toMatchObject({
    state: 'broken',
    sealed: content_hash,
  });
  expect(await checkSeal(content)).toMatchObject({ state: 'not_assessable' });
});
