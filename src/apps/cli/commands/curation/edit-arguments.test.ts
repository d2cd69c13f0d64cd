import { expect, it } from 'vitest';
import type { JsonObject } from '#core';
import { editInWords } from './edit-arguments.ts';

it.each<[JsonObject, string]>([
  [{ edit: 'trim', to: 'marks', from_s: 1.5, to_s: null }, 'trimmed, keeping 1.5 s to the end'],
  [{ edit: 'shift', by_rows: { action: -3 } }, 'shifted: action 3 rows earlier'],
  [
    { edit: 'convert', features: [{ feature: 'action', names: ['a'], units: 'deg:rad' }] },
    'converted units: action (a) deg to rad',
  ],
  [{ edit: 'rename', names: { a: 'b' } }, 'renamed: a → b'],
  [{ edit: 'split', shares: { train: 0.9, val: 0.1 } }, 'splits: train 90 %, val 10 %'],
  [
    { edit: 'encode', feature: 'top', from: ['top'], codec: 'h265', episodes: 3 },
    'top encoded as h265 in 3 episodes',
  ],
  [{ edit: 'hide_frames', reason: 'they begin between key frames' }, 'they begin between key frames'],
])('%j is said in words', (edit, words) => {
  expect(editInWords(edit)).toBe(words);
});
