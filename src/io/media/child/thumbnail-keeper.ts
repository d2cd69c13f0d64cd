import type { Thumbnail } from '#core/episode';
import { oddity } from './doubt.ts';
import type { AddedFrame } from './evidence-builder.ts';
import { type JpegSource, toJpeg } from './pictures/to-jpeg.ts';

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
