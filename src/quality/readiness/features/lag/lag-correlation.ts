/** Steps of the grid by which the state may follow its command, or lead it. */
export const lagReach = 32;

/** Command and state laid out for the correlation: `lagReach` zeros around each of the `used` dimensions. */
export interface Signals {
  readonly action: Float64Array;
  readonly state: Float64Array;
  readonly length: number;
  readonly used: number;
}

/**
 * Correlation at every lag from −lagReach to lagReach: every fourth lag, then the neighbours of the best; the rest lie
 * between theirs. Each product is a sum of its own.
 */
export function correlations({ action, state, length, used }: Signals): Float64Array {
  const out = new Float64Array(2 * lagReach + 1);
  let best = 0;
  for (let k = 0; k + 12 < out.length; k += 16) fourProducts(action, state, length, k, out);
  out[2 * lagReach] = product(action, state, length, lagReach);
  for (let k = 0; k < out.length; k += 4) if (out[k] > out[best]) best = k;
  if (best > 0) threeProducts(action, state, length, best - 3, out);
  if (best < 2 * lagReach) threeProducts(action, state, length, best + 1, out);
  for (let k = 0; k < out.length; k++) {
    if (k % 4 === 0 || Math.abs(k - best) < 4) continue;
    const before = k - (k % 4);
    out[k] = out[before] + ((out[before + 4] - out[before]) * (k % 4)) / 4;
  }
  for (let k = 0; k < out.length; k++) out[k] /= used;
  return out;
}

/** Σ a[i] · s[i + lag] for four lags, four apart, in one walk: each value is loaded once for four. */
function fourProducts(a: Float64Array, s: Float64Array, length: number, k: number, out: Float64Array): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const shift = k - lagReach;
  const to = length - lagReach;
  for (let i = lagReach; i < to; i++) {
    const x = a[i];
    const at = i + shift;
    s0 += x * s[at];
    s1 += x * s[at + 4];
    s2 += x * s[at + 8];
    s3 += x * s[at + 12];
  }
  out[k] = s0;
  out[k + 4] = s1;
  out[k + 8] = s2;
  out[k + 12] = s3;
}

/** The same for three lags on end. */
function threeProducts(a: Float64Array, s: Float64Array, length: number, k: number, out: Float64Array): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  const shift = k - lagReach;
  const to = length - lagReach;
  for (let i = lagReach; i < to; i++) {
    const x = a[i];
    const at = i + shift;
    s0 += x * s[at];
    s1 += x * s[at + 1];
    s2 += x * s[at + 2];
  }
  out[k] = s0;
  out[k + 1] = s1;
  out[k + 2] = s2;
}

function product(a: Float64Array, s: Float64Array, length: number, lag: number): number {
  let sum = 0;
  const to = length - lagReach;
  for (let i = lagReach; i < to; i++) sum += a[i] * s[i + lag];
  return sum;
}
