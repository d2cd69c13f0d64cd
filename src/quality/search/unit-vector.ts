import { vectorDecimals } from './descriptor.ts';

const places = 10 ** vectorDecimals;

/** Some components of a vector, and the share of its squared length that they get. */
export interface Block {
  readonly values: Float64Array;
  readonly weight: number;
}

/** Blocks one after the other, each brought to its share, the whole to length 1; null where all of it is zero. */
export function unitVector(blocks: readonly Block[]): number[] | null {
  const lengths = blocks.map(({ values }) => lengthOf(values));
  const total = blocks.reduce((sum, { weight }, i) => sum + (lengths[i] > 0 ? weight : 0), 0);
  if (!(total > 0)) return null;
  return blocks.flatMap(({ values, weight }, i) => {
    const scale = lengths[i] > 0 ? Math.sqrt(weight / total) / lengths[i] : 0;
    // `+ 0`: no negative zero, which is written otherwise.
    return Array.from(values, (value) => Math.round(value * scale * places) / places + 0);
  });
}

function lengthOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Math.sqrt(sum);
}
