import type { RepeatFacts, SampledFrames, Thumbnail } from '#core/episode';
import {
  blockMeans,
  type FrameStats,
  frameStats,
  gridOf,
  meanDifference,
  sampledDifference,
} from './frame-stats.ts';
import { type Luma, reduceLuma } from './luma.ts';
import { type JpegSource, toJpeg } from './pictures/to-jpeg.ts';
import { mayRepeat, repeatFacts } from './repeats.ts';

export const thumbnailWidth = 240;

interface Kept {
  readonly index: number;
  readonly time_s: number;
  readonly why: string;
  readonly source: JpegSource;
}

/** Frames kept of each kind of oddity. */
const keptPerOddity = 2;
/** A frame with less than this share of the median sharpness is shown as blurred. */
const blurredShare = 0.3;

/** Chooses, while frames go by, which to show: an overview spread over them, and the odd ones. */
export class ThumbnailKeeper {
  readonly #number: number;
  readonly #overview: ReadonlySet<number>;
  readonly #kept: Kept[] = [];
  readonly #odd = new Map<string, Kept[]>();
  #softest: Kept | null = null;
  #leastSharpness = Number.POSITIVE_INFINITY;
  readonly #sharpness: number[] = [];

  /** `frames`: indices that will be decoded, ascending. */
  constructor(number: number, frames: readonly number[]) {
    this.#number = number;
    this.#overview = new Set(spread(frames, number));
  }

  /** `source` is called only for a frame that is kept, during this call. */
  offer(frame: AddedFrame, source: () => JpegSource): void {
    if (this.#number === 0) return;
    let taken: JpegSource | null = null;
    const keep = (why: string): Kept => {
      taken ??= source();
      return { index: frame.index, time_s: frame.time_s, why, source: taken };
    };
    if (this.#overview.has(frame.index)) this.#kept.push(keep('overview'));
    const odd = oddity(frame);
    if (odd !== null) {
      const same = this.#odd.get(odd) ?? [];
      if (same.length < keptPerOddity) this.#odd.set(odd, [...same, keep(odd)]);
    } else if (frame.sharpness < this.#leastSharpness) {
      this.#leastSharpness = frame.sharpness;
      this.#softest = keep('blurred');
    }
    this.#sharpness.push(frame.sharpness);
  }

  /** Odd frames take up to half of the places, one of each kind first. */
  async thumbnails(): Promise<Thumbnail[]> {
    const odd = this.#chosenOdd();
    const rest = spread(
      this.#kept.filter((one) => !odd.some((other) => other.index === one.index)),
      this.#number - odd.length,
    );
    const chosen = [...rest, ...odd].sort((a, b) => a.index - b.index);
    return Promise.all(
      chosen.map(async ({ time_s, why, source }) => {
        const { jpeg, width_px, height_px } = await toJpeg(source, thumbnailWidth);
        return { time_s, width_px, height_px, jpeg, why };
      }),
    );
  }

  #chosenOdd(): Kept[] {
    const lists = [...this.#odd.values()];
    const sorted = [...this.#sharpness].sort((a, b) => a - b);
    const blurred = this.#leastSharpness < blurredShare * sorted[sorted.length >> 1];
    if (blurred && this.#softest !== null) lists.push([this.#softest]);
    const firsts = lists.map((list) => list[0]);
    const seconds = lists.flatMap((list) => list.slice(1));
    return [...firsts, ...seconds].slice(0, Math.ceil(this.#number / 2));
  }
}

/** `number` items spread evenly over a list, its first among them; all of a shorter one. */
function spread<T>(items: readonly T[], number: number): T[] {
  if (items.length <= number) return [...items];
  return Array.from(
    { length: Math.max(0, number) },
    (_, i) => items[Math.floor((i * items.length) / number)],
  );
}

/** Shares and levels that no picture worth training on reaches; a frame past them is looked at with all others. */
const dark = 0.95;
const bright = 0.5;
/** Standard deviation of luma of a picture that shows nothing. */
const flat = 4;

/** What is odd about a frame; null when nothing is. */
function oddity(frame: AddedFrame): 'dark' | 'blank' | 'bright' | 'repeated' | null {
  if (frame.dark_ratio > dark) return 'dark';
  if (frame.luma_std < flat) return 'blank';
  if (frame.equal === true) return 'repeated';
  return frame.bright_ratio > bright ? 'bright' : null;
}

/**
 * What a frame asks for: `grave`, every frame of its camera to be looked at; `repeats`, those that may be repeats.
 */
export function doubtAbout(frame: AddedFrame): 'none' | 'repeats' | 'grave' {
  const odd = oddity(frame);
  if (odd === 'dark' || odd === 'blank') return 'grave';
  return odd === 'repeated' ? 'repeats' : 'none';
}

/**
 * A re-encoded repeat is not always byte-equal, since encoders go on refining a still picture: mean |Δ| over the full
 * plane up to `nearEqual` counts as equal, and up to `linked` where a run of such pairs goes on. Set on frozen
 * spans encoded by x264, x265, SVT-AV1, libvpx and MPEG-4; the stillest pairs of different pictures in the real
 * recordings differ by more than `nearEqual`.
 */
const nearEqual = 0.002;
const linked = 0.02;

/** What is known of one frame once it was added. */
interface AddedFrame extends FrameStats {
  readonly index: number;
  readonly time_s: number;
  readonly difference: number;
  /** Against the frame before; null where that one is not known. */
  readonly equal: boolean | null;
  /** Not equal by itself, but so near that it is taken for equal next to a pair that is. */
  readonly near: boolean;
  /** Largest change of the mean of a block against the frame before, in levels; NaN where that one is not known. */
  readonly motion: number;
  /** Means of 8 x 8 blocks, row by row. */
  readonly grid: Uint8Array;
}

/** Gathers frames in ascending order of index and keeps of the pixels only what the next one is compared with. */
export class EvidenceBuilder {
  readonly #rows: AddedFrame[] = [];
  #full: Luma = { width: 0, height: 0, data: new Uint8Array(0) };
  #reduced: Luma = this.#full;
  #spare: Luma | undefined;
  #blocks: Float64Array = new Float64Array(0);

  get count(): number {
    return this.#rows.length;
  }

  /** `luma` is copied where it is still needed after the call. */
  add(index: number, time_s: number, luma: Luma): AddedFrame {
    const last = this.#rows.at(-1);
    const reducedNow = reduceLuma(luma, this.#spare);
    const follows = last !== undefined && last.index === index - 1;
    const exact = follows && sameBytes(this.#full, luma);
    const difference = !follows ? Number.NaN : exact ? 0 : sampledDifference(this.#reduced, reducedNow);
    // The reduced planes tell cheaply whether comparing the full ones is worth it.
    const full = exact
      ? 0
      : difference <= 2 * linked
        ? meanDifference(this.#full, luma)
        : Number.POSITIVE_INFINITY;
    const equal = follows ? full <= nearEqual : null;
    const near = follows && full > nearEqual && full <= linked;
    const blocks = blockMeans(reducedNow);
    const motion = follows ? largestChange(this.#blocks, blocks) : Number.NaN;
    this.#blocks = blocks;
    const grid = gridOf(blocks);
    const stats = frameStats(reducedNow);
    const row: AddedFrame = { index, time_s, difference, equal, near, motion, grid, ...stats };
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
      motion: Float32Array.from(rows, (row) => row.motion),
      grid: Uint8Array.from(rows.flatMap((row) => [...row.grid])),
    };
  }

  /** Whether pictures may repeat where coding hides it; see `mayRepeat`. */
  get mayRepeat(): boolean {
    return mayRepeat(this.#rows);
  }

  /**
   * `isCoded`: the frames were predicted from one another. `pairs`: how many the method answers for, where that is more
   * than were decoded.
   */
  repeats(method: RepeatFacts['method'], isCoded: boolean, pairs: number | null = null): RepeatFacts {
    const rows = this.#rows;
    const equal = rows.map((row) => row.equal);
    const link = (i: number, beside: number) => {
      if (rows[i].near && equal[beside] === true) equal[i] = true;
    };
    for (let i = 1; i < rows.length; i++) link(i, i - 1);
    for (let i = rows.length - 2; i >= 0; i--) link(i, i + 1);
    const frames = rows.map((row, i) => ({ ...row, equal: equal[i] }));
    const facts = repeatFacts(frames, method, isCoded);
    return pairs === null ? facts : { ...facts, pairs_compared: pairs };
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

/** NaN for pictures of two sizes. */
function largestChange(a: Float64Array, b: Float64Array): number {
  let most = a.length === b.length ? 0 : Number.NaN;
  for (let i = 0; i < b.length; i++) {
    const change = Math.abs(a[i] - b[i]);
    if (change > most) most = change;
  }
  return most;
}
