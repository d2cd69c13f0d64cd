import type { Motion } from '../../motion/motion.ts';
import { type Boundary, boundaryPriority, type Extent } from './boundaries.ts';

/**
 * Change points of mean and variance of the velocity, by binary segmentation (Scott and Knott 1974) with the Gaussian
 * cost for mean and variance (Killick and Eckley 2014): n bins cost n · log(variance + floor) per dimension. The cut
 * with the largest saving over all dimensions comes first. A search tries at most a few hundred places.
 *
 * A cut is kept if it saves more than its price: with p = `penaltyFactor` · log n, 1.5 p for its place plus 2 p for
 * each dimension it pays for (one more mean and variance, as in BIC); other dimensions are left uncut. Neighbouring
 * bins are correlated, so n counts pieces of `independent_s`. The factor exceeds BIC's 1 because motion is not normal
 * noise: a single reach, which starts and ends at rest, must stay one segment.
 */
const independent_s = 0.2;
const penaltyFactor = 3;
const placeCost = 1.5;
/** Variance floor, as a fraction of a dimension's variance over the episode. */
const varianceFloor = 0.02;

/** Number of places tried in the coarse search; a fine search around the best follows. */
const coarsePlaces = 256;

interface Sums {
  readonly dims: number;
  /** Prefix sum before bin b of dimension d at `[b * dims + d]`. */
  readonly first: Float64Array;
  readonly squares: Float64Array;
  readonly floors: Float64Array;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly cut: number;
  /** Saving of the cut minus its price. */
  readonly gain: number;
}

/**
 * Adds change points of the motion between the boundaries of `chosen` to it, best first, until it is full or no cut
 * is significant.
 */
export function addChangePoints(motion: Motion, chosen: BoundarySelection, minSpan_s: number): void {
  const { bins, moving, source } = motion;
  if (moving.length === 0 || chosen.isFull) return;
  const sums = prefixSums(motion);
  const length = (bins.to_s[bins.count - 1] - bins.from_s[0]) / bins.count;
  const minBins = Math.max(4, Math.ceil(minSpan_s / Math.max(length, 1e-9)));
  const weight = Math.min(1, length / independent_s);
  const pieces = piecesBetween(motion, chosen.boundaries).flatMap(([from, to]) =>
    bestCut(sums, from, to, minBins, weight),
  );
  while (pieces.length > 0 && !chosen.isFull) {
    const best = pieces.reduce((best, piece, i) => (piece.gain > pieces[best].gain ? i : best), 0);
    const [{ from, to, cut, gain }] = pieces.splice(best, 1);
    const boundary: Boundary = {
      at_s: bins.from_s[cut],
      type: 'change_point',
      strength: gain / (gain + cutPrice(to - from, weight)),
      stream: source.streams[0].id,
      dimension: null,
      change: null,
    };
    if (!chosen.add(boundary)) continue;
    pieces.push(...bestCut(sums, from, cut, minBins, weight), ...bestCut(sums, cut, to, minBins, weight));
  }
}

/** Returns the bin ranges between boundaries and gaps. */
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

function prefixSums({ bins: { count }, moving }: Motion): Sums {
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
    floors[d] = varianceFloor * Math.max(square / count - (sum / count) ** 2, 1e-12);
  }
  return { dims, first, squares, floors };
}

/** Returns the best cut of a range; empty if its saving does not exceed its price. */
function bestCut(sums: Sums, from: number, to: number, minBins: number, weight: number): Piece[] {
  if (to - from < 2 * minBins) return [];
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
  const stride = Math.min(minBins, Math.ceil((to - from) / coarsePlaces));
  search(from + minBins, to - minBins, stride);
  if (stride > 1 && cut >= 0)
    search(Math.max(from + minBins, cut - stride + 1), Math.min(to - minBins, cut + stride - 1), 1);
  if (cut < 0) return [];
  const net = netGain(sums, [from, cut, to], weight);
  return net > 0 ? [{ from, to, cut, gain: net }] : [];
}

function cutPrice(bins: number, weight: number): number {
  return penaltyFactor * Math.log(Math.max(Math.E, bins * weight));
}

/** Returns the saving of a cut minus its price, over the dimensions it pays for. */
function netGain(sums: Sums, [from, cut, to]: readonly [number, number, number], weight: number): number {
  const price = cutPrice(to - from, weight);
  let net = -placeCost * price;
  for (let d = 0; d < sums.dims; d++) {
    const parts =
      (cut - from) * Math.log(variance(sums, d, from, cut)) +
      (to - cut) * Math.log(variance(sums, d, cut, to));
    const saved = ((to - from) * Math.log(variance(sums, d, from, to)) - parts) * weight;
    net += Math.max(0, saved - 2 * price);
  }
  return net;
}

/** Returns Σ log(variance + floor) over the dimensions. Products share a logarithm, which dominates the run time. */
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

/** Returns (variance + floor) / floor of one dimension over a bin range. */
function variance({ dims, first, squares, floors }: Sums, d: number, from: number, to: number): number {
  const a = from * dims + d;
  const b = to * dims + d;
  const mean = (first[b] - first[a]) / (to - from);
  return Math.max((squares[b] - squares[a]) / (to - from) - mean * mean, 0) / floors[d] + 1;
}

/** Selects boundaries in time order, at least `minSpan_s` apart and from both ends, at most `maxSpans - 1`. */
export class BoundarySelection {
  readonly boundaries: Boundary[] = [];
  readonly #extent: Extent;
  readonly #minSpan_s: number;
  readonly #maxBoundaries: number;

  /** Allows `maxSpans` spans of at least `minSpan_s`. */
  constructor(extent: Extent, minSpan_s: number, maxSpans: number) {
    this.#extent = extent;
    this.#minSpan_s = minSpan_s;
    this.#maxBoundaries = maxSpans - 1;
  }

  /** True if no more boundaries can be added. */
  get isFull(): boolean {
    return this.boundaries.length >= this.#maxBoundaries;
  }

  /** Adds candidates by priority of type, then strength, then time; those that do not fit are skipped. */
  addAll(candidates: readonly Boundary[]): void {
    const ordered = candidates.toSorted(
      (a, b) =>
        boundaryPriority[a.type] - boundaryPriority[b.type] || b.strength - a.strength || a.at_s - b.at_s,
    );
    for (const candidate of ordered) this.add(candidate);
  }

  /** Adds a boundary and returns true, or returns false if it is too close to another one or the selection is full. */
  add(boundary: Boundary): boolean {
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
    const fits = boundary.at_s - before_s >= this.#minSpan_s && after_s - boundary.at_s >= this.#minSpan_s;
    if (fits) this.boundaries.splice(low, 0, boundary);
    return fits;
  }
}
