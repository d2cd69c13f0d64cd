import type { KeptPicture, PictureEncoding } from '#core/episode';
import { pictureFormat } from '#core/episode';

/** Pictures kept of one camera of an episode, and what they may weigh together. */
const keptPictures = 16;
const keptBytes = 24 * 1024 * 1024;

/** Keeps pictures spread evenly over an episode of known length, copies of their bytes, within a budget. */
export class PictureKeeper {
  readonly kept: KeptPicture[] = [];
  readonly #stride: number;
  readonly #time_s: Float64Array | null;
  #weight = 0;

  /** `time_s`: when each row was taken; null where nobody knows. */
  constructor(rows: number, time_s: Float64Array | null) {
    this.#stride = Math.max(1, Math.ceil(rows / keptPictures));
    this.#time_s = time_s;
  }

  wants(row: number, bytes: number): boolean {
    return row % this.#stride === 0 && (this.#weight + bytes <= keptBytes || this.kept.length === 0);
  }

  keep(row: number, bytes: Uint8Array, layout?: KeptPicture['layout']): void {
    this.#weight += bytes.byteLength;
    const picture = { index: row, time_s: this.#time_s?.[row] ?? 0, bytes: Uint8Array.from(bytes) };
    this.kept.push(layout === undefined ? picture : { ...picture, layout });
  }
}

/** What the bytes of a picture say they are, among the encodings a locator can name. */
export function embeddedEncoding(bytes: Uint8Array): PictureEncoding {
  const format = pictureFormat(bytes);
  if (format === 'JPEG') return 'jpeg';
  if (format === 'PNG') return 'png';
  return format === 'WebP' ? 'webp' : 'unknown';
}
