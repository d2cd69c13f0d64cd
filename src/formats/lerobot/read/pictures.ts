import { crc32 } from 'node:zlib';
import type { Frames, PictureEncoding, SampledPicture } from '#core/episode';
import { fetchChunks } from '../../shared/parquet/chunks.ts';
import { parquetSource } from '../../shared/parquet/duck.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import { declaredSize_px } from './camera-features.ts';
import type { FilePlan, PicturePlan } from './episodes/column-plan.ts';

/** Maximum number of stored pictures per episode. */
const maxKeptPictures = 16;
/** Maximum total size of the stored pictures, in bytes. */
const maxKeptBytes = 24 * 1024 * 1024;
/** Rows per query; a chunk of pictures must fit in memory. */
const rowsPerQuery = 64;

/** Rows of an episode in a data file. */
export interface PictureRows {
  readonly first_row: number;
  readonly rows: number;
}

/**
 * Reads the embedded pictures of an episode by feature: size and CRC of every payload, and up to 16 sample payloads;
 * without payloads, only the location of picture files, or why they are missing.
 */
export async function readPictures(
  set: LeRobotSet,
  plan: FilePlan,
  file: string,
  span: PictureRows,
  stamps: Float64Array | null,
): Promise<Map<string, Frames>> {
  const found = new Map<string, Frames>();
  for (const picture of plan.pictures)
    found.set(picture.feature.key, await readFeaturePictures(set, picture, file, span, stamps));
  return found;
}

/** Reads the pictures of one feature. */
async function readFeaturePictures(
  set: LeRobotSet,
  picture: PicturePlan,
  file: string,
  span: PictureRows,
  stamps: Float64Array | null,
): Promise<Frames> {
  const checksums = new Uint32Array(span.rows);
  const sizes = new Uint32Array(span.rows);
  const keeper = new PictureSampler(span.rows, stamps, set.info.fps);
  const paths: string[] = [];
  const source = parquetSource([set.tree.absolute(file)], 'file_row_number = true');
  for (let from = 0; from < span.rows; from += rowsPerQuery) {
    const first = span.first_row + from;
    const last = span.first_row + Math.min(from + rowsPerQuery, span.rows) - 1;
    const sql = `SELECT ${picture.bytes}, ${picture.path} FROM ${source} WHERE file_row_number BETWEEN ${first} AND ${last}`;
    let row = from;
    for await (const chunk of fetchChunks(sql)) {
      for (let at = 0; at < chunk.rows && row < span.rows; at++, row++) {
        const bytes = chunk.bytes(0, at);
        if (bytes === null) {
          const path = chunk.text(1, at);
          if (path !== null) paths.push(path);
          continue;
        }
        checksums[row] = crc32(bytes);
        sizes[row] = bytes.byteLength;
        keeper.offer(row, bytes);
      }
    }
  }
  const declared = { declared_size_px: declaredSize_px(picture.feature), declared_codec: null };
  const onDisk = paths.filter((path) => set.tree.has(path));
  if (paths.length > 0 && onDisk.length === paths.length && keeper.pictures.length === 0) {
    return { ...declared, locator: { type: 'image-files', paths: onDisk } };
  }
  if (keeper.pictures.length === 0) {
    const reason = paths.length > 0 ? `file not found: ${paths[0]}` : 'no row contains an image';
    return { ...declared, locator: { type: 'missing', path: paths[0] ?? file, reason } };
  }
  const encoding = detectEncoding(keeper.pictures[0].bytes);
  const locator = { type: 'embedded', path: file, channel: picture.feature.key, encoding } as const;
  return { ...declared, locator, payloads: { crc32: checksums, bytes: sizes }, kept: keeper.pictures };
}

/** Samples pictures evenly over the episode as copies, within the size limit. */
class PictureSampler {
  readonly pictures: SampledPicture[] = [];
  readonly #stride: number;
  readonly #stamps: Float64Array | null;
  readonly #fps: number | null;
  #bytes = 0;

  constructor(rows: number, stamps: Float64Array | null, fps: number | null) {
    this.#stride = Math.max(1, Math.ceil(rows / maxKeptPictures));
    this.#stamps = stamps;
    this.#fps = fps;
  }

  offer(row: number, bytes: Uint8Array): void {
    if (row % this.#stride !== 0) return;
    if (this.#bytes + bytes.byteLength > maxKeptBytes && this.pictures.length > 0) return;
    this.#bytes += bytes.byteLength;
    const time_s = this.#stamps?.[row] ?? (this.#fps === null ? 0 : row / this.#fps);
    this.pictures.push({ index: row, time_s, bytes: Uint8Array.from(bytes) });
  }
}

/** Detects the picture encoding from the first bytes. */
function detectEncoding(bytes: Uint8Array): PictureEncoding {
  if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e) return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  const riff = bytes[0] === 0x52 && bytes[1] === 0x49 && bytes[8] === 0x57 && bytes[9] === 0x45;
  return riff ? 'webp' : 'unknown';
}
