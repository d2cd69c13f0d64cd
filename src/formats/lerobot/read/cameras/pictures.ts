import { crc32 } from 'node:zlib';
import type { Frames, KeptPicture, PictureEncoding } from '#core/episode';
import { chunks } from '../../../shared/parquet/chunks.ts';
import { parquetSource } from '../../../shared/parquet/duck.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import type { FilePlan, PicturePlan } from '../episodes/column-plan.ts';
import { sizeOf } from './camera-features.ts';

/** Pictures kept of an episode, and what they may weigh together. */
const keptPictures = 16;
const keptBytes = 24 * 1024 * 1024;
/** Rows asked for at once: a chunk of pictures must fit in memory. */
const rowsAtOnce = 64;

export interface PictureRows {
  readonly first_row: number;
  readonly rows: number;
}

/** The pictures inside a data file: a checksum of every payload, a few payloads, and where the rest lies. */
export async function readPictures(
  set: LeRobotSet,
  plan: FilePlan,
  file: string,
  span: PictureRows,
  stamps: Float64Array | null,
): Promise<Map<string, Frames>> {
  const found = new Map<string, Frames>();
  for (const picture of plan.pictures)
    found.set(picture.feature.key, await read(set, picture, file, span, stamps));
  return found;
}

async function read(
  set: LeRobotSet,
  picture: PicturePlan,
  file: string,
  span: PictureRows,
  stamps: Float64Array | null,
): Promise<Frames> {
  const checksums = new Uint32Array(span.rows);
  const sizes = new Uint32Array(span.rows);
  const keeper = new Keeper(span.rows, stamps, set.info.fps);
  const paths: string[] = [];
  const source = parquetSource([set.tree.absolute(file)], 'file_row_number = true');
  for (let from = 0; from < span.rows; from += rowsAtOnce) {
    const first = span.first_row + from;
    const last = span.first_row + Math.min(from + rowsAtOnce, span.rows) - 1;
    const sql = `SELECT ${picture.bytes}, ${picture.path} FROM ${source} WHERE file_row_number BETWEEN ${first} AND ${last}`;
    let row = from;
    for await (const chunk of chunks(sql)) {
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
  const declared = { declared_size_px: sizeOf(picture.feature), declared_codec: null };
  const onDisk = paths.filter((path) => set.tree.has(path));
  if (paths.length > 0 && onDisk.length === paths.length && keeper.kept.length === 0) {
    return { ...declared, locator: { type: 'image-files', paths: onDisk } };
  }
  if (keeper.kept.length === 0) {
    const reason = paths.length > 0 ? `${paths[0]} is not there` : 'no row carries a picture';
    return { ...declared, locator: { type: 'missing', path: paths[0] ?? file, reason } };
  }
  const encoding = encodingOf(keeper.kept[0].bytes);
  const locator = { type: 'embedded', path: file, channel: picture.feature.key, encoding } as const;
  return { ...declared, locator, payloads: { crc32: checksums, bytes: sizes }, kept: keeper.kept };
}

/** Keeps pictures spread evenly over the episode, copies of their bytes, within a budget. */
class Keeper {
  readonly kept: KeptPicture[] = [];
  readonly #stride: number;
  readonly #stamps: Float64Array | null;
  readonly #fps: number | null;
  #weight = 0;

  constructor(rows: number, stamps: Float64Array | null, fps: number | null) {
    this.#stride = Math.max(1, Math.ceil(rows / keptPictures));
    this.#stamps = stamps;
    this.#fps = fps;
  }

  offer(row: number, bytes: Uint8Array): void {
    if (row % this.#stride !== 0) return;
    if (this.#weight + bytes.byteLength > keptBytes && this.kept.length > 0) return;
    this.#weight += bytes.byteLength;
    const time_s = this.#stamps?.[row] ?? (this.#fps === null ? 0 : row / this.#fps);
    this.kept.push({ index: row, time_s, bytes: Uint8Array.from(bytes) });
  }
}

function encodingOf(bytes: Uint8Array): PictureEncoding {
  if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e) return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  const riff = bytes[0] === 0x52 && bytes[1] === 0x49 && bytes[8] === 0x57 && bytes[9] === 0x45;
  return riff ? 'webp' : 'unknown';
}
