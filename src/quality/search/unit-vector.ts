import { vectorDecimals } from './descriptor.ts';

const roundingFactor = 10 ** vectorDecimals;

/** Components of a vector with their share of its squared length. */
export interface Block {
  readonly values: Float64Array;
  readonly weight: number;
}

/** Concatenates blocks, scaled to their shares, into a unit vector with rounded components; null if all are zero. */
export function unitVector(blocks: readonly Block[]): number[] | null {
  const lengths = blocks.map(({ values }) => computeLength(values));
  const total = blocks.reduce((sum, { weight }, i) => sum + (lengths[i] > 0 ? weight : 0), 0);
  if (!(total > 0)) return null;
  return blocks.flatMap(({ values, weight }, i) => {
    const scale = lengths[i] > 0 ? Math.sqrt(weight / total) / lengths[i] : 0;
    // `+ 0` turns negative zero into zero.
    return Array.from(values, (value) => Math.round(value * scale * roundingFactor) / roundingFactor + 0);
  });
}

function computeLength(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Math.sqrt(sum);
}
