/** A window in frames of its file. */
export interface PlacedWindow {
  /** Where it begins. */
  readonly from: number;
  /** How long it says it is. */
  readonly width: number;
  /** Rows of its episode. */
  readonly rows: number;
}

/** Half a frame: what two windows may differ by and still mean the same frames. */
export const halfFrame = 0.5;
/** A window that lies where the ones before it end counts for more than one that only does not overlap. */
const linked = 1.01;

/**
 * Windows of one file, in the order of their episodes, that do not lie at their place: those outside the best chain of
 * windows each of which begins behind the one before. Windows may leave frames out. Files in which most windows lie in
 * another order, without overlap and each as long as its rows, were written in that order.
 */
export function displacedWindows(windows: readonly PlacedWindow[]): number[] {
  if (inOrder(windows)) return [];
  const kept = bestChain(windows);
  const displaced = windows.flatMap((_, at) => (kept.has(at) ? [] : [at]));
  return displaced.length * 2 > windows.length && areTiles(windows) ? [] : displaced;
}

function inOrder(windows: readonly PlacedWindow[]): boolean {
  let end = 0;
  let counted = 0;
  return windows.every(({ from, width, rows }) => {
    const fits = Math.abs(from - end) < halfFrame || Math.abs(from - counted) < halfFrame;
    end = from + width;
    counted = from + rows;
    return fits;
  });
}

function areTiles(windows: readonly PlacedWindow[]): boolean {
  const sorted = windows.toSorted((a, b) => a.from - b.from);
  return sorted.every(
    ({ from, width, rows }, at) =>
      Math.abs(width - rows) < halfFrame &&
      (at === 0 || from > sorted[at - 1].from + sorted[at - 1].width - halfFrame),
  );
}

/** Positions in the chain with the greatest worth. */
function bestChain(windows: readonly PlacedWindow[]): Set<number> {
  const worth = new Float64Array(windows.length);
  const previous = new Int32Array(windows.length).fill(-1);
  const ended = new GreatestBefore(windows.map(({ from, width }) => from + width));
  /** By how far a window lies from where the rows before it would put it: the best chain that the next one continues. */
  const continues = new Map<number, { worth: number; at: number }>([[0, { worth: 0, at: -1 }]]);
  let before = 0;
  windows.forEach(({ from, width, rows }, at) => {
    const offset = Math.round(from - before);
    const behind = ended.upTo(from + halfFrame, worth);
    const chained = continues.get(offset);
    const isLinked = chained !== undefined && chained.worth + linked >= (behind < 0 ? 0 : worth[behind]);
    previous[at] = isLinked ? chained.at : behind;
    worth[at] = 1 + (isLinked ? chained.worth + linked : behind < 0 ? 0 : worth[behind]);
    ended.add(at, worth);
    for (const next of new Set([offset, offset + Math.round(width - rows)])) {
      const known = continues.get(next);
      if (known === undefined || known.worth < worth[at]) continues.set(next, { worth: worth[at], at });
    }
    before += rows;
  });
  const chain = new Set<number>();
  let at = worth.reduce((best, value, place) => (value > worth[best] ? place : best), 0);
  for (; at >= 0; at = previous[at]) chain.add(at);
  return chain;
}

/** Finds the worthiest of the windows added that end at or before a place (a Fenwick tree over their ends). */
class GreatestBefore {
  readonly #ends: Float64Array;
  readonly #rank: Int32Array;
  readonly #best: Int32Array;

  constructor(ends: readonly number[]) {
    const order = ends.map((_, at) => at).sort((a, b) => ends[a] - ends[b]);
    this.#ends = Float64Array.from(order, (at) => ends[at]);
    this.#rank = new Int32Array(ends.length);
    order.forEach((at, rank) => {
      this.#rank[at] = rank;
    });
    this.#best = new Int32Array(ends.length + 1).fill(-1);
  }

  add(at: number, worth: Float64Array): void {
    for (let node = this.#rank[at] + 1; node < this.#best.length; node += node & -node)
      if (this.#best[node] < 0 || worth[this.#best[node]] < worth[at]) this.#best[node] = at;
  }

  /** Position of the worthiest; −1 when none ends there. */
  upTo(end: number, worth: Float64Array): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle] <= end) low = middle + 1;
      else high = middle;
    }
    let found = -1;
    for (let node = low; node > 0; node -= node & -node) {
      const at = this.#best[node];
      if (at >= 0 && (found < 0 || worth[at] > worth[found])) found = at;
    }
    return found;
  }
}
