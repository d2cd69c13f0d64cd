import { expect, test } from 'vitest';
import { tokenShape } from '#core/api';
import { newSecretToken } from './tokens.ts';

test('tokens have the shape and do not repeat', () => {
  const tokens = Array.from({ length: 2000 }, newSecretToken);
  for (const token of tokens) expect(token).toMatch(tokenShape);
  expect(new Set(tokens).size).toBe(2000);
});

test('every character takes part, but for the first, which 256 bits do not fill', () => {
  const seen = Array.from({ length: 43 }, () => new Set<string>());
  for (let i = 0; i < 2000; i++)
    [...newSecretToken().slice(4)].forEach((char, at) => void seen[at].add(char));
  for (const chars of seen.slice(1)) expect(chars.size).toBe(62);
  expect(seen[0].size).toBeGreaterThan(50);
});
