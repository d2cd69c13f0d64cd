import { expect, test } from 'vitest';
import { pointerPart } from './json-pointer.ts';

test('escapes ~ before /, and writes numbers as they are', () => {
  expect(pointerPart('a/b~1')).toBe('a~1b~01');
  expect(pointerPart(3)).toBe('3');
});
