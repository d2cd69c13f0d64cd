import type { RepeatFacts, SampledFrames } from '#episode';
import { frameStats, meanDifference } from './frame-stats.ts';
import { type Luma, reduceLuma } from './luma.ts';

/**
 * A re-encoded repeat is not byte-equal, but nearly: mean |Δ| over the full plane at or below this counts as equal.
 * The stillest pairs of different pictures in real recordings lie above it (see evidence-builder.test.ts).
 */
export const nearEqual = 0.002;

interface Row {
  readonly index: number;
  readonly time_s: number;
  readonly luma_mean: number;
  readonly luma_std: number;
  readonly dark_ratio: number;
  readonly bright_ratio: number;
  readonly sharpness: number;
  readonly hash_high: number;
  readonly hash_low: number;
  readonly difference: number;
  /** Against the frame before; null where that one is not known. */
  readonly equal: boolean | null;
}

export type AddedFrame = Row;

/** Gathers frames in ascending order of index and keeps of the pixels only what the next one is compared with. */
export class EvidenceBuilder {
  readonly #rows: Row[] = [];
  #full: Luma = { width: 0, height: 0, data: new Uint8Array(0) };
  #reduced: Luma = this.#full;
  #spare: Luma | undefined;

  get count(): number {
    return this.#rows.length;
  }

  /** `luma` is copied where it is still needed after the call. */
  add(index: number, time_s: number, luma: Luma): AddedFrame {
    const last = this.#rows.at(-1);
    const reducedNow = reduceLuma(luma, this.#spare);
    const follows = last !== undefined && last.index === index - 1;
    const exact = follows && sameBytes(this.#full, luma);
    const difference = !follows ? Number.NaN : exact ? 0 : meanDifference(this.#reduced, reducedNow);
    const equal = follows ? exact || (difference <= 2 * nearEqual && nearlySame(this.#full, luma)) : null;
    const row: Row = { index, time_s, difference, equal, ...frameStats(reducedNow) };
    this.#rows.push(row);
    this.#keep(luma, reducedNow);
    return row;
  }

  sampled(): SampledFrames {
    const rows = this.#rows;
    return {
      index: Int32Array.from(rows, (row) => row.index),
      time_s: Float64Array.from(rows, (row) => row.time_s),
      luma_mean: Float32Array.from(rows, (row) => row.luma_mean),
      luma_std: Float32Array.from(rows, (row) => row.luma_std),
      dark_ratio: Float32Array.from(rows, (row) => row.dark_ratio),
      bright_ratio: Float32Array.from(rows, (row) => row.bright_ratio),
      sharpness: Float32Array.from(rows, (row) => row.sharpness),
      difference: Float32Array.from(rows, (row) => row.difference),
      hash_high: Uint32Array.from(rows, (row) => row.hash_high),
      hash_low: Uint32Array.from(rows, (row) => row.hash_low),
    };
  }

  repeats(method: RepeatFacts['method']): RepeatFacts {
    const times = this.#rows.map((row) => row.time_s);
    return repeatFacts(
      times,
      this.#rows.map((row) => row.equal),
      method,
    );
  }

  /** Copies what the next frame is compared with; the buffers are used again and again. */
  #keep(luma: Luma, reduced: Luma): void {
    const size = luma.width * luma.height;
    const wasFull = this.#full;
    const { data: old } = wasFull;
    const data = old.length === size ? old : new Uint8Array(size);
    data.set(luma.data.length === size ? luma.data : luma.data.subarray(0, size));
    this.#full = { width: luma.width, height: luma.height, data };
    const before = this.#reduced;
    this.#reduced = reduced === luma ? this.#full : reduced;
    this.#spare = before === reduced || before === wasFull ? undefined : before;
  }
}

function sameBytes(a: Luma, b: Luma): boolean {
  const n = a.width * a.height;
  if (a.width !== b.width || a.height !== b.height) return false;
  return Buffer.compare(a.data.subarray(0, n), b.data.subarray(0, n)) === 0;
}

function nearlySame(a: Luma, b: Luma): boolean {
  return meanDifference(a, b) <= nearEqual;
}

const runsKept = 16;

/** `equal[i]`: frame i equals the frame before it; null where the pair was not compared. */
export function repeatFacts(
  times_s: ArrayLike<number>,
  equal: readonly (boolean | null)[],
  method: RepeatFacts['method'],
): RepeatFacts {
  let compared = 0;
  let repeats = 0;
  let run = 0;
  const runs: { from_s: number; to_s: number; frames: number }[] = [];
  for (let i = 0; i <= equal.length; i++) {
    if (i < equal.length && equal[i] !== null) compared++;
    if (i < equal.length && equal[i] === true) {
      repeats++;
      run++;
      continue;
    }
    if (run > 0) runs.push({ from_s: times_s[i - 1 - run], to_s: times_s[i - 1], frames: run });
    run = 0;
  }
  runs.sort((a, b) => b.frames - a.frames || a.from_s - b.from_s);
  return { pairs_compared: compared, pairs_equal: repeats, runs: runs.slice(0, runsKept), method };
}
