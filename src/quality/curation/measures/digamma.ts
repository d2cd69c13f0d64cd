/** The digamma function at a positive whole number: harmonic number minus Euler's constant. */
export function digammaTable(most: number): Float64Array {
  const table = new Float64Array(most + 1);
  table[0] = Number.NEGATIVE_INFINITY;
  let sum = -0.5772156649015329;
  for (let n = 1; n <= most; n++) {
    table[n] = sum;
    sum += 1 / n;
  }
  return table;
}
