import { describe, expect, it } from 'vitest';
import { encodeRle, type Mask } from './outliner.ts';

const mask = (left: number, top: number, rows: readonly string[]): Mask => ({
  ...{ left, top, width: rows[0].length, height: rows.length },
  bits: Uint8Array.from(rows.join(''), Number),
});
const counts = (own: Mask, width_px: number, height_px: number) =>
  encodeRle(own, { width_px, height_px }).counts;

/** Encoded texts from pycocotools 2.0.11. */
describe('run lengths', () => {
  it('are those of pycocotools', () => {
    expect(counts(mask(0, 0, ['0']), 3, 2)).toBe('6');
    expect(counts(mask(0, 0, ['111', '111']), 3, 2)).toBe('06');
    expect(counts(mask(1, 1, ['1']), 3, 3)).toBe('414');
    expect(counts(mask(0, 0, ['10', '01']), 2, 2)).toBe('0120');
    expect(encodeRle(mask(0, 0, ['0']), { width_px: 3, height_px: 2 }).size).toEqual([2, 3]);
  });

  it('go on over the end of a column', () => {
    expect(counts(mask(1, 0, ['11', '11', '11']), 4, 3)).toBe('363');
  });
});
