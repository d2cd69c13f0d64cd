import type { RepeatFacts, SampledFrames, Thumbnail } from '#core/episode';
import {
  blockMeans,
  type FrameStats,
  frameStats,
  type Luma,
  meanDifference,
  reduceLuma,
  reduceToGrid,
  sampledDifference,
} from './frame-stats.ts';
import { type JpegSource, toJpeg } from './pictures/sharp.ts';
import { mayRepeat, repeatFacts, videoRepeatFacts } from './repeats.ts';
import { type CodedFrame, largestChange } from './still-spans.ts';

/** Width of thumbnails in px. */
export const thumbnailWidth = 240;

interface ThumbnailCandidate {
  readonly index: number;
  readonly time_s: number;
  readonly why: string;
  readonly source: JpegSource;
}

/** Maximum number of thumbnails per kind of oddity. */
const maxPerOddity = 2;
/** A frame below this fraction of the median sharpness is shown as blurred. */
const maxBlurredFraction = 0.3;

/** Selects thumbnails while frames are decoded: an evenly spaced overview, and unusual frames. */
export class ThumbnailSelector {
  readonly #number: number;
  readonly #overview: ReadonlySet<number>;
  readonly #overviewFrames: ThumbnailCandidate[] = [];
  readonly #oddFrames = new Map<string, ThumbnailCandidate[]>();
  #blurriest: ThumbnailCandidate | null = null;
  #minSharpness = Number.POSITIVE_INFINITY;
  readonly #sharpness: number[] = [];

  /** `number`: maximum number of thumbnails. `frames`: indices of the frames that will be decoded, ascending. */
  constructor(number: number, frames: readonly number[]) {
    this.#number = number;
    this.#overview = new Set(spreadEvenly(frames, number));
  }

  /**
   * Considers a frame for the thumbnails; `source` is called at most once, during this call, and only if the frame is
   * selected so far.
   */
  consider(frame: AddedFrame, source: () => JpegSource): void {
    if (this.#number === 0) return;
    let cachedSource: JpegSource | null = null;
    const keep = (why: string): ThumbnailCandidate => {
      cachedSource ??= source();
      return { index: frame.index, time_s: frame.time_s, why, source: cachedSource };
    };
    if (this.#overview.has(frame.index)) this.#overviewFrames.push(keep('overview'));
    const odd = findOddity(frame);
    if (odd !== null) {
      const same = this.#oddFrames.get(odd) ?? [];
      if (same.length < maxPerOddity) this.#oddFrames.set(odd, [...same, keep(odd)]);
    } else if (frame.sharpness < this.#minSharpness) {
      this.#minSharpness = frame.sharpness;
      this.#blurriest = keep('blurred');
    }
    this.#sharpness.push(frame.sharpness);
  }

  /**
   * Returns the selected frames as JPEGs in frame order; unusual frames take up to half of the number, one of each kind
   * first.
   */
  async thumbnails(): Promise<Thumbnail[]> {
    const odd = this.#chooseOdd();
    const rest = spreadEvenly(
      this.#overviewFrames.filter((one) => !odd.some((other) => other.index === one.index)),
      this.#number - odd.length,
    );
    const selected = [...rest, ...odd].sort((a, b) => a.index - b.index);
    return Promise.all(
      selected.map(async ({ time_s, why, source }) => {
        const { jpeg, width_px, height_px } = await toJpeg(source, thumbnailWidth);
        return { time_s, width_px, height_px, jpeg, why };
      }),
    );
  }

  #chooseOdd(): ThumbnailCandidate[] {
    const lists = [...this.#oddFrames.values()];
    const sorted = [...this.#sharpness].sort((a, b) => a - b);
    const blurred = this.#minSharpness < maxBlurredFraction * sorted[sorted.length >> 1];
    if (blurred && this.#blurriest !== null) lists.push([this.#blurriest]);
    const firsts = lists.map((list) => list[0]);
    const seconds = lists.flatMap((list) => list.slice(1));
    return [...firsts, ...seconds].slice(0, Math.ceil(this.#number / 2));
  }
}

/** Returns `number` evenly spaced items of a list including the first; all items of a shorter list. */
function spreadEvenly<T>(items: readonly T[], number: number): T[] {
  if (items.length <= number) return [...items];
  return Array.from(
    { length: Math.max(0, number) },
    (_, i) => items[Math.floor((i * items.length) / number)],
  );
}

/** Fractions of dark and bright pixels beyond which a frame counts as dark or bright. */
const minDarkRatio = 0.95;
const minBrightRatio = 0.5;
/** Standard deviation of luma below which a picture is blank. */
const maxFlatStd = 4;

/** Returns what is unusual about a frame; null if nothing is. */
function findOddity(frame: AddedFrame): 'dark' | 'blank' | 'bright' | 'repeated' | null {
  if (frame.dark_ratio > minDarkRatio) return 'dark';
  if (frame.luma_std < maxFlatStd) return 'blank';
  if (frame.equal === true) return 'repeated';
  return frame.bright_ratio > minBrightRatio ? 'bright' : null;
}

/**
 * Returns which further frames a frame requires to be decoded: every frame of the camera (`grave`: it is black or
 * blank), possible repeats (`repeats`), or none.
 */
export function assessDoubt(frame: AddedFrame): 'none' | 'repeats' | 'grave' {
  const odd = findOddity(frame);
  if (odd === 'dark' || odd === 'blank') return 'grave';
  return odd === 'repeated' ? 'repeats' : 'none';
}

/**
 * Limits of the mean absolute difference over the full plane: up to the first, a pair counts as equal; up to the
 * second, it does if it is next to an equal pair. Encoders refine still pictures, so repeats are not always byte-equal.
 * Set on frozen spans encoded by x264, x265, SVT-AV1, libvpx and MPEG-4; the stillest pairs of different pictures in
 * real recordings differ by more than the first limit.
 */
const maxEqualDifference = 0.002;
const maxNearDifference = 0.02;

/** Measurements of an added frame. */
interface AddedFrame extends FrameStats {
  readonly index: number;
  readonly time_s: number;
  readonly difference: number;
  /** True if it equals the previous frame; `null` if that was not decoded. */
  readonly equal: boolean | null;
  /** Not equal by itself, but counted as equal next to an equal pair. */
  readonly near: boolean;
  /** Largest change of the mean of a block against the frame before, in levels; NaN where that one is not known. */
  readonly motion: number;
  /** Mean luma of the cells of a 16 x 16 and of an 8 x 8 grid, row by row. */
  readonly blocks: Float32Array;
  readonly grid: Uint8Array;
  readonly key: boolean;
  readonly discards_up_to: number;
}

/** Coding properties of a frame; see `CodedFrame`. */
type FrameCoding = Pick<CodedFrame, 'key' | 'discards_up_to'>;

const codedAlone: FrameCoding = { key: true, discards_up_to: 0 };

/** Collects measurements of frames added in ascending order; keeps only the pixels needed to compare the next frame. */
export class EvidenceBuilder {
  readonly #rows: AddedFrame[] = [];
  #full: Luma = { width: 0, height: 0, data: new Uint8Array(0) };
  #reduced: Luma = this.#full;
  #spareBuffer: Luma | undefined;

  /** Number of frames added. */
  get count(): number {
    return this.#rows.length;
  }

  /**
   * Measures a frame, compares it with the previous one, and returns the measurements; comparisons are `null` or NaN
   * unless that is the frame directly before. `luma` is copied as far as it is needed after the call. By default the
   * frame is coded by itself.
   */
  add(index: number, time_s: number, luma: Luma, coding: FrameCoding = codedAlone): AddedFrame {
    const last = this.#rows.at(-1);
    const reducedNow = reduceLuma(luma, this.#spareBuffer);
    const follows = last !== undefined && last.index === index - 1;
    const exact = follows && equalPlanes(this.#full, luma);
    const difference = !follows ? Number.NaN : exact ? 0 : sampledDifference(this.#reduced, reducedNow);
    // Comparing the reduced planes shows cheaply whether the full planes need to be compared.
    const full = exact
      ? 0
      : difference <= 2 * maxNearDifference
        ? meanDifference(this.#full, luma)
        : Number.POSITIVE_INFINITY;
    const equal = follows ? full <= maxEqualDifference : null;
    const near = follows && full > maxEqualDifference && full <= maxNearDifference;
    const blocks = blockMeans(reducedNow);
    const motion = follows ? largestChange(last.blocks, blocks) : Number.NaN;
    const grid = reduceToGrid(blocks);
    const stats = frameStats(reducedNow);
    const row: AddedFrame = {
      index,
      time_s,
      difference,
      equal,
      near,
      motion,
      blocks,
      grid,
      ...coding,
      ...stats,
    };
    this.#rows.push(row);
    this.#rememberFrame(luma, reducedNow);
    return row;
  }

  /** Returns the measurements of all frames as columns. */
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

  /**
   * Returns the largest change of a cell against the previous frame among added frames `from` to `to` (inclusive), in
   * levels; 0 if none is known.
   */
  largestMotion(from: number, to: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle].index < from) low = middle + 1;
      else high = middle;
    }
    let largest = 0;
    for (let i = low; i < this.#rows.length && this.#rows[i].index <= to; i++)
      largest = Math.max(largest, this.#rows[i].motion || 0);
    return largest;
  }

  /** True if pictures may repeat but coding hides it; see `mayRepeat`. */
  get mayRepeat(): boolean {
    return mayRepeat(this.#rows);
  }

  /**
   * Returns how often and where added frames repeat the previous one. `isCoded`: frames were predicted from each other
   * (video). `pairs`: number of compared pairs to report if the method covers more than were decoded.
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
    const facts = isCoded ? videoRepeatFacts(frames, method) : repeatFacts(frames, method);
    return pairs === null ? facts : { ...facts, pairs_compared: pairs };
  }

  /** Copies the pixels that the next frame is compared with; buffers are reused. */
  #rememberFrame(luma: Luma, reduced: Luma): void {
    const size = luma.width * luma.height;
    const wasFull = this.#full;
    const { data: old } = wasFull;
    const data = old.length === size ? old : new Uint8Array(size);
    data.set(luma.data.length === size ? luma.data : luma.data.subarray(0, size));
    this.#full = { width: luma.width, height: luma.height, data };
    const previousReduced = this.#reduced;
    this.#reduced = reduced === luma ? this.#full : reduced;
    this.#spareBuffer =
      previousReduced === reduced || previousReduced === wasFull ? undefined : previousReduced;
  }
}

function equalPlanes(a: Luma, b: Luma): boolean {
  const n = a.width * a.height;
  if (a.width !== b.width || a.height !== b.height) return false;
  return Buffer.compare(a.data.subarray(0, n), b.data.subarray(0, n)) === 0;
}
