import type { Extent } from '../../motion/extent.ts';
import { type Boundary, boundaryRank } from './boundary.ts';

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
