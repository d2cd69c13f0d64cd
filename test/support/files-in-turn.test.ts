import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesInTurn, filesOfOtherTurns } from './files-in-turn.ts';

it('every test file that takes turns exists, and two turns run all of them', () => {
  expect(filesInTurn.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(filesInTurn).size).toBe(filesInTurn.length);
  const [even, odd] = [0, 1].map((turn) => filesOfOtherTurns(turn));
  expect([...even, ...odd].toSorted()).toEqual(filesInTurn.toSorted());
  expect(Math.abs(even.length - odd.length)).toBeLessThanOrEqual(1);
});
