import type { Extent } from '../../motion/extent.ts';
import type { Motion } from '../../motion/motion.ts';
import { type Boundary, boundaryRank } from './boundary.ts';

/**
 * Changes of mean and variance of the velocity by binary segmentation (Scott and Knott 1974, with the Gaussian cost for
 * mean and variance of Killick and Eckley 2014): n bins cost n · log(variance + floor) in each dimension. A range is
 * cut where that saves most over all dimensions, the largest saving first. A cut tries at most some hundred places.
 *
 * A cut is kept if it saves more than its price: with p = `caution` · log n, 1.5 p for its place and 2 p for each
 * dimension that it pays for (a mean and a variance more, as in BIC); the others go on as if it were not there. Neighbouring bins say much the
 * same, so n counts pieces of `independent_s`. Caution is above the 1 of BIC since motion is no normal noise: a reach
 * alone, which starts and ends at rest, must stay whole.
 */
const independent_s = 0.2;
const caution = 3;
const placePrice = 1.5;
/** Share of a dimension's variance over the episode below which a change is none. */
const floorShare = 0.02;

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
  /** What the cut saves, less what it costs. */
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
      strength: gain / (gain + priceOf(to - from, weight)),
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
  for (const [first, last] of bins.ranges) {
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
  if (cut < 0) return [];
  const net = netGain(sums, [from, cut, to], weight);
  return net > 0 ? [{ from, to, cut, gain: net }] : [];
}

function priceOf(bins: number, weight: number): number {
  return caution * Math.log(Math.max(Math.E, bins * weight));
}

/** What a cut saves less its price, over the dimensions for which it pays. */
function netGain(sums: Sums, [from, cut, to]: readonly [number, number, number], weight: number): number {
  const price = priceOf(to - from, weight);
  let net = -placePrice * price;
  for (let d = 0; d < sums.dims; d++) {
    const parts =
      (cut - from) * Math.log(variance(sums, d, from, cut)) +
      (to - cut) * Math.log(variance(sums, d, cut, to));
    const saved = ((to - from) * Math.log(variance(sums, d, from, to)) - parts) * weight;
    net += Math.max(0, saved - 2 * price);
  }
  return net;
}

/** Σ log(variance + floor) over the dimensions, with one logarithm for several, since it is what takes the time. */
function logVariance(sums: Sums, from: number, to: number): number {
  let sum = 0;
  let product = 1;
  for (let d = 0; d < sums.dims; d++) {
    product *= variance(sums, d, from, to);
    if (product < 1e200) continue;
    sum += Math.log(product);
    product = 1;
  }
  return sum + Math.log(product);
}

/** (Variance + floor) / floor of one dimension over bins. */
function variance({ dims, first, squares, floors }: Sums, d: number, from: number, to: number): number {
  const a = from * dims + d;
  const b = to * dims + d;
  const mean = (first[b] - first[a]) / (to - from);
  return Math.max((squares[b] - squares[a]) / (to - from) - mean * mean, 0) / floors[d] + 1;
}

/** Boundaries in the order of time, none closer to another or to an end than the shortest span, no more than fit. */
export class Chosen {
  readonly boundaries: Boundary[] = [];
  readonly #extent: Extent;
  readonly #shortest_s: number;
  readonly #most: number;

  /** `most` spans of at least `shortest_s`. */
  constructor(extent: Extent, shortest_s: number, most: number) {
    this.#extent = extent;
    this.#shortest_s = shortest_s;
    this.#most = most - 1;
  }

  get isFull(): boolean {
    return this.boundaries.length >= this.#most;
  }

  /** Takes the most telling first, the stronger of equals, the earlier of those. */
  takeAll(candidates: readonly Boundary[]): void {
    const ordered = candidates.toSorted(
      (a, b) => boundaryRank[a.type] - boundaryRank[b.type] || b.strength - a.strength || a.at_s - b.at_s,
    );
    for (const candidate of ordered) this.take(candidate);
  }

  /** Whether it found a place. */
  take(boundary: Boundary): boolean {
    if (this.isFull) return false;
    let low = 0;
    let high = this.boundaries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.boundaries[middle].at_s < boundary.at_s) low = middle + 1;
      else high = middle;
    }
    const before_s = low === 0 ? this.#extent.from_s : this.boundaries[low - 1].at_s;
    const after_s = low === this.boundaries.length ? this.#extent.to_s : this.boundaries[low].at_s;
    const fits = boundary.at_s - before_s >= this.#shortest_s && after_s - boundary.at_s >= this.#shortest_s;
    if (fits) this.boundaries.splice(low, 0, boundary);
    return fits;
  }
}
