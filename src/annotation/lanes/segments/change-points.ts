import type { Motion } from '../motion/motion.ts';
import type { Boundary } from './boundary.ts';
import type { Chosen } from './chosen.ts';

/**
 * Changes of mean and variance of the velocity by binary segmentation (Scott and Knott 1974; with a Gaussian cost for
 * mean and variance as in Killick and Eckley 2014): a stretch of n bins costs n · Σ log(variance of each dimension +
 * floor); it is cut where that saves most, if it saves more than the penalty; the largest saving first. A cut costs
 * linear time, so all of them together cost O(n log n) where cuts halve, and never more than n times their number.
 *
 * Neighbouring bins say much the same, so n counts pieces of `independent_s`. The penalty is that of Schwarz (BIC) for
 * the parameters that a cut adds, two a dimension and its place, times `caution`: motion is never normal noise.
 */
const independent_s = 0.2;
const caution = 2;
/** Share of a dimension's variance over the episode below which a change is none. */
const floorShare = 0.08;

/** So many places are tried first, then those around the best of them. */
const finely = 256;

interface Sums {
  readonly dims: number;
  /** Sum up to (not with) bin b of dimension d at `[b * dims + d]`. */
  readonly first: Float64Array;
  readonly squares: Float64Array;
  readonly floors: Float64Array;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly cut: number;
  readonly gain: number;
}

/** Adds to the chosen boundaries the changes of motion that lie between them. */
export function takeChangePoints(motion: Motion, chosen: Chosen, shortest_s: number): void {
  const { bins, moving, source } = motion;
  if (moving.length === 0 || chosen.isFull) return;
  const sums = sumsOf(motion);
  const length = (bins.to_s[bins.count - 1] - bins.from_s[0]) / bins.count;
  const fewest = Math.max(4, Math.ceil(shortest_s / Math.max(length, 1e-9)));
  const weight = Math.min(1, length / independent_s);
  const pieces = piecesBetween(motion, chosen.boundaries).flatMap(([from, to]) =>
    bestCut(sums, from, to, fewest, weight),
  );
  while (pieces.length > 0 && !chosen.isFull) {
    const best = pieces.reduce((best, piece, i) => (piece.gain > pieces[best].gain ? i : best), 0);
    const [{ from, to, cut, gain }] = pieces.splice(best, 1);
    const boundary: Boundary = {
      at_s: bins.from_s[cut],
      type: 'change_point',
      strength: gain / (gain + penaltyOf(sums, to - from, weight)),
      stream: source.streams[0].id,
      dimension: null,
      change: null,
    };
    if (!chosen.take(boundary)) continue;
    pieces.push(...bestCut(sums, from, cut, fewest, weight), ...bestCut(sums, cut, to, fewest, weight));
  }
}

/** Bins between two boundaries or holes. */
function piecesBetween({ bins }: Motion, boundaries: readonly Boundary[]): [number, number][] {
  const pieces: [number, number][] = [];
  let next = 0;
  for (const [first, last] of bins.stretches) {
    let from = first;
    while (next < boundaries.length && boundaries[next].at_s <= bins.from_s[first]) next++;
    for (; next < boundaries.length && boundaries[next].at_s < bins.to_s[last - 1]; next++) {
      let to = from;
      while (to < last && bins.middle_s[to] < boundaries[next].at_s) to++;
      if (to > from) pieces.push([from, to]);
      from = to;
    }
    if (last > from) pieces.push([from, last]);
  }
  return pieces;
}

function sumsOf({ bins: { count }, moving }: Motion): Sums {
  const dims = moving.length;
  const first = new Float64Array((count + 1) * dims);
  const squares = new Float64Array((count + 1) * dims);
  const floors = new Float64Array(dims);
  for (let d = 0; d < dims; d++) {
    const { velocity } = moving[d];
    let sum = 0;
    let square = 0;
    for (let b = 0, at = dims + d; b < count; b++, at += dims) {
      sum += velocity[b];
      square += velocity[b] * velocity[b];
      first[at] = sum;
      squares[at] = square;
    }
    floors[d] = floorShare * Math.max(square / count - (sum / count) ** 2, 1e-12);
  }
  return { dims, first, squares, floors };
}

function penaltyOf({ dims }: Sums, bins: number, weight: number): number {
  return caution * (2 * dims + 1) * Math.log(Math.max(Math.E, bins * weight));
}

/** The cut that saves most, if it saves more than the penalty. */
function bestCut(sums: Sums, from: number, to: number, fewest: number, weight: number): Piece[] {
  if (to - from < 2 * fewest) return [];
  const whole = (to - from) * logVariance(sums, from, to);
  let gain = 0;
  let cut = -1;
  const search = (first: number, last: number, stride: number) => {
    for (let b = first; b <= last; b += stride) {
      const parts = (b - from) * logVariance(sums, from, b) + (to - b) * logVariance(sums, b, to);
      if (whole - parts <= gain) continue;
      gain = whole - parts;
      cut = b;
    }
  };
  const stride = Math.min(fewest, Math.ceil((to - from) / finely));
  search(from + fewest, to - fewest, stride);
  if (stride > 1 && cut >= 0)
    search(Math.max(from + fewest, cut - stride + 1), Math.min(to - fewest, cut + stride - 1), 1);
  return gain * weight > penaltyOf(sums, to - from, weight) ? [{ from, to, cut, gain: gain * weight }] : [];
}

/** Σ log(variance + floor) over the dimensions, with one logarithm for several, since it is what takes the time. */
function logVariance({ dims, first, squares, floors }: Sums, from: number, to: number): number {
  const n = to - from;
  let sum = 0;
  let product = 1;
  for (let d = 0, a = from * dims, b = to * dims; d < dims; d++, a++, b++) {
    const mean = (first[b] - first[a]) / n;
    product *= Math.max((squares[b] - squares[a]) / n - mean * mean, 0) / floors[d] + 1;
    if (product < 1e200) continue;
    sum += Math.log(product);
    product = 1;
  }
  return sum + Math.log(product);
}
