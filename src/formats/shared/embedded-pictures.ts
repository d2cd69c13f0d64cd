import { type PictureEncoding, pictureFormat, type SampledPicture } from '#core/episode';
import type { Dataset, PictureStreamRequest, StreamedPicture } from './reader.ts';

/** Maximum number and total size of the sampled pictures per camera and episode. */
const maxPictures = 16;
const maxBytes = 24 * 1024 * 1024;

/** Samples pictures spread evenly over an episode of known length, within a byte budget. Copies their bytes. */
export class EvenPictureSampler {
  readonly pictures: SampledPicture[] = [];
  readonly #stride: number;
  readonly #time_s: Float64Array | null;
  #bytes = 0;

  /** `time_s`: capture time of each row in seconds; null if unknown (pictures then get time 0). */
  constructor(rows: number, time_s: Float64Array | null) {
    this.#stride = Math.max(1, Math.ceil(rows / maxPictures));
    this.#time_s = time_s;
  }

  /**
   * True if this row is on the sampling grid and its bytes fit into the budget, which the first picture always does.
   */
  accepts(row: number, bytes: number): boolean {
    return row % this.#stride === 0 && (this.#bytes + bytes <= maxBytes || this.pictures.length === 0);
  }

  /** Adds a copy of the picture to `pictures`, without checking the grid or the budget. */
  add(row: number, bytes: Uint8Array, layout?: SampledPicture['layout']): void {
    this.#bytes += bytes.byteLength;
    const picture = { index: row, time_s: this.#time_s?.[row] ?? 0, bytes: Uint8Array.from(bytes) };
    this.pictures.push(layout === undefined ? picture : { ...picture, layout });
  }
}

/** Returns the encoding of a picture (JPEG, PNG, WebP) from its first bytes; `unknown` for anything else. */
export function detectPictureEncoding(bytes: Uint8Array): PictureEncoding {
  const format = pictureFormat(bytes);
  if (format === 'JPEG') return 'jpeg';
  if (format === 'PNG') return 'png';
  return format === 'WebP' ? 'webp' : 'unknown';
}

/**
 * Yields every embedded picture of a stream as recorded, not decoded, in recording order; rows without a picture are
 * skipped. Uses `Dataset.pictures` if the format has it, otherwise one `picturesAt` call per row. Throws if the
 * recording cannot be read any more.
 */
export async function* readPictureStream(
  dataset: Dataset,
  request: PictureStreamRequest,
): AsyncGenerator<StreamedPicture, void, undefined> {
  if (dataset.pictures !== undefined) return yield* dataset.pictures(request);
  const { rows, log_s, ...common } = request;
  for (let row = 0; row < rows; row++) {
    const found = (await dataset.picturesAt?.({ ...common, row, log_s: log_s?.[row] ?? null })) ?? [];
    const picture = found.at(-1);
    if (picture !== undefined) yield { ...picture, index: row, key: true };
  }
}
