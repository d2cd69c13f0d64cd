import { expect, it } from 'vitest';
import { isLatched } from './bag-metadata.ts';

it.each([
  ['- history: 3\n  depth: 0\n  reliability: 1\n  durability: 1\n  deadline:\n    sec: 2147483647', true],
  ['- history: 3\n  reliability: 1\n  durability: 2\n', false],
  ['- history: keep_last\n  durability: transient_local\n', true],
  ['- history: keep_last\n  durability: volatile\n', false],
  ['', false],
])('tells latched topics by the durability that publishers offered: %j', (profiles, latched) => {
  expect(isLatched(profiles)).toBe(latched);
});
