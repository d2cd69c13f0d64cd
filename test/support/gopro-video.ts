import { readFile, writeFile } from 'node:fs/promises';
import { encodeVideo, x264 } from './encode-video.ts';
import { movingPicture } from './moving-picture.ts';

/** A GPMF entry by GoPro's description: key, type, bytes of a sample, samples and data, padded to 32 bits. */
function gpmf(key: string, type: string, sampleBytes: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(key, 'latin1');
  head[4] = type === '' ? 0 : type.charCodeAt(0);
  head[5] = sampleBytes;
  head.writeUInt16BE(sampleBytes === 0 ? 0 : data.length / sampleBytes, 6);
  return Buffer.concat([head, data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
}

/** A nested entry, such as DEVC or STRM. */
export const nested = (key: string, ...entries: readonly Buffer[]): Buffer =>
  gpmf(key, '', 1, Buffer.concat(entries));

/** An entry with text; `width` divides it into several texts of equal length. */
export const text = (key: string, content: string, width = 1): Buffer =>
  gpmf(key, 'c', width, Buffer.from(content, 'latin1'));

const writers = {
  s: (bytes: Buffer, value: number, at: number) => bytes.writeInt16BE(value, at),
  S: (bytes: Buffer, value: number, at: number) => bytes.writeUInt16BE(value, at),
  l: (bytes: Buffer, value: number, at: number) => bytes.writeInt32BE(value, at),
  L: (bytes: Buffer, value: number, at: number) => bytes.writeUInt32BE(value, at),
  f: (bytes: Buffer, value: number, at: number) => bytes.writeFloatBE(value, at),
  J: (bytes: Buffer, value: number, at: number) => bytes.writeBigUInt64BE(BigInt(value), at),
};
const widths = { s: 2, S: 2, l: 4, L: 4, f: 4, J: 8 };
type NumberLetter = keyof typeof writers;

/** An entry with numbers, `dims` a sample. */
export function numbers(key: string, type: NumberLetter, dims: number, values: readonly number[]): Buffer {
  const data = Buffer.alloc(widths[type] * values.length);
  for (const [i, value] of values.entries()) writers[type](data, value, i * widths[type]);
  return gpmf(key, type, widths[type] * dims, data);
}

/** An entry of the complex type `?`, whose columns have the types of `structure`. */
export function complex(key: string, structure: string, rows: readonly (readonly number[])[]): Buffer {
  const letters = [...structure] as NumberLetter[];
  const width = letters.reduce((sum, letter) => sum + widths[letter], 0);
  const data = Buffer.alloc(width * rows.length);
  let at = 0;
  for (const row of rows)
    for (const [i, letter] of letters.entries()) {
      writers[letter](data, row[i], at);
      at += widths[letter];
    }
  return gpmf(key, '?', width, data);
}

const box = (type: string, ...content: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + bytes.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, bytes]);
};
const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
};

/** The track of GPMF payloads by GoPro's description, in ms. */
function telemetryTrack(sizes: readonly number[], offsets: readonly number[], payload_ms: number): Buffer {
  const total = sizes.length * payload_ms;
  const handler = Buffer.concat([
    words(0),
    Buffer.from('mhlrmeta'),
    words(0, 0, 0),
    Buffer.from('GoPro MET\0'),
  ]);
  const description = box('gpmd', words(0, 1));
  const table = box(
    'stbl',
    box('stsd', words(0, 1), description),
    box('stts', words(0, 1, sizes.length, payload_ms)),
    box('stsz', words(0, 0, sizes.length, ...sizes)),
    box('stsc', words(0, 1, 1, 1, 1)),
    box('stco', words(0, offsets.length, ...offsets)),
  );
  return box(
    'trak',
    box('tkhd', words(0, 0, 0, 9, 0, total), Buffer.alloc(60)),
    box('mdia', box('mdhd', words(0, 0, 0, 1000, total, 0)), box('hdlr', handler), box('minf', table)),
  );
}

/**
 * Writes an H.264 video like a GoPro's: `frames` frames at 30 Hz with a track of payloads, each of `payload_ms`.
 */
export async function writeGoproVideo(
  path: string,
  frames: number,
  payloads: readonly Uint8Array[],
  payload_ms = 1000,
): Promise<void> {
  await encodeVideo(path, 64, 48, movingPicture(64, 48, frames), x264);
  const video = await readFile(path);
  let moov = 0;
  while (video.toString('latin1', moov + 4, moov + 8) !== 'moov') moov += video.readUInt32BE(moov);
  const offsets: number[] = [];
  let end = moov + 8;
  for (const { length } of payloads) {
    offsets.push(end);
    end += length;
  }
  const track = telemetryTrack(
    payloads.map(({ length }) => length),
    offsets,
    payload_ms,
  );
  const header = box('moov', video.subarray(moov + 8, moov + video.readUInt32BE(moov)), track);
  await writeFile(path, Buffer.concat([video.subarray(0, moov), box('mdat', ...payloads), header]));
}
