import { describe, expect, it } from 'vitest';
import { contractViolation } from './contract.ts';

const shape = {
  inputs: { pixels: { type: 'float32', dims: [1, 3, null, null] } },
  outputs: { boxes: { type: 'float32', dims: [1, null, 4] } },
} as const;
const pixels = { name: 'pixels', type: 'float32', dims: [null, 3, 640, 640] };
const boxes = { name: 'boxes', type: 'float32', dims: [1, 300, 4] };

describe('a graph held against its contract', () => {
  it('fits where sizes are alike or free, and may give more', () => {
    const more = { name: 'scores', type: 'float32', dims: [1, 300] };
    expect(contractViolation({ inputs: [pixels], outputs: [more, boxes] }, shape)).toBeNull();
  });

  it('is told what it lacks', () => {
    expect(contractViolation({ inputs: [pixels], outputs: [] }, shape)).toBe(
      'expected output boxes: float32 of 1 x any x 4, but it is missing',
    );
    const narrow = { ...pixels, dims: [1, 1, null, null] };
    expect(contractViolation({ inputs: [narrow], outputs: [boxes] }, shape)).toBe(
      'expected input pixels: float32 of 1 x 3 x any x any, got float32 of 1 x 1 x any x any',
    );
    expect(contractViolation({ inputs: [{ ...pixels, type: 'uint8' }], outputs: [boxes] }, shape)).toMatch(
      /uint8/,
    );
  });
});
