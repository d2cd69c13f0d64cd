import { describe, expect, it } from 'vitest';
import { plainCrc32c } from '#test/support/tfrecord';
import { crc32c } from './framing.ts';

describe('CRC-32C', () => {
  it('is Castagnoli’s, at every length and alignment', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
    const bytes = Uint8Array.from({ length: 64 }, (_, i) => (i * 37) & 255);
    for (let from = 0; from < 9; from++)
      for (let to = from; to < bytes.length; to++)
        expect(crc32c(bytes, from, to)).toBe(plainCrc32c(bytes.subarray(from, to)));
  });
});
