import { crc32 } from 'node:zlib';
import { AssayError } from '#core';
import { type Frames, pictureFormat, type RawLayout, type Stream, type StreamRole } from '#core/episode';
import type { RowArray } from '../shared/arrays/row-array.ts';
import { assertStored, noUnit, type StepArrayReader, streamClock } from '../shared/arrays/step-arrays.ts';
import { detectPictureEncoding, EvenPictureSampler } from '../shared/embedded-pictures.ts';
import type { Picture } from './family.ts';

/** Storage of images in an array. */
export type PictureKind =
  /** Raw pixels, one image per row. */
  | { readonly kind: 'raw'; readonly layout: RawLayout }
  /** One image file per row, padded with zeros. */
  | { readonly kind: 'padded' }
  /** One image file per row, of variable length. */
  | { readonly kind: 'sequence' };

/** Smallest and largest side length of a camera image. */
const minSide_px = 8;
const maxSide_px = 16_384;
const maxPictureBytes = 192 * 1024 * 1024;
const maxPictures = 10_000_000;
/** Block sizes for reading: rows that fit into `target`, extended to whole chunks if these fit into `max`. */
const blockBytes = { target: 16 * 1024 * 1024, max: 128 * 1024 * 1024 };
/** Rows per block for arrays of variable-length rows. */
const sequenceRows = 32;

/**
 * Detects how an array stores images, raw ones by type and shape, encoded ones by their first bytes; `null` if it holds
 * no images.
 */
export async function detectPictureKind(
  dataset: RowArray,
  colours: 'rgb8' | '8UC3',
): Promise<PictureKind | null> {
  const { type, shape, rows } = dataset;
  if (rows === 0 || rows > maxPictures || dataset.rowBytes > maxPictureBytes) return null;
  if (type.kind === 'sequence') {
    return isByte(type.base) && (await startsAsPicture(dataset)) ? { kind: 'sequence' } : null;
  }
  const layout = rawLayout(dataset, colours);
  if (layout !== null) return { kind: 'raw', layout };
  const mayBePadded = isByte(type) && shape.length === 2 && shape[1] >= 64;
  return mayBePadded && (await startsAsPicture(dataset)) ? { kind: 'padded' } : null;
}

function isByte(type: RowArray['type']): boolean {
  return type.kind === 'integer' && type.bytes === 1;
}

async function startsAsPicture(dataset: RowArray): Promise<boolean> {
  const isSequence = dataset.type.kind === 'sequence';
  const [first] = isSequence ? await dataset.readItems(0, 1) : [await dataset.readBytes(0, 1)];
  return first !== undefined && pictureFormat(first) !== null;
}

function rawLayout({ type, shape }: RowArray, colours: 'rgb8' | '8UC3'): RawLayout | null {
  const [, height, width, channels = 1] = shape;
  if (shape.length < 3 || shape.length > 4) return null;
  if (Math.min(height, width) < minSide_px || Math.max(height, width) > maxSide_px) return null;
  const encoding = selectEncoding(type, channels, colours);
  return encoding === null ? null : { encoding: encoding.name, width, height, step: width * encoding.bytes };
}

function selectEncoding(
  type: RowArray['type'],
  channels: number,
  colours: 'rgb8' | '8UC3',
): { name: string; bytes: number } | null {
  const isPlain = (type.kind === 'integer' || type.kind === 'float') && !(type.bigEndian && type.bytes > 1);
  if (!isPlain) return null;
  if (isByte(type) && channels === 3) return { name: colours, bytes: 3 };
  if (isByte(type) && channels === 4) return { name: colours === 'rgb8' ? 'rgba8' : '8UC4', bytes: 4 };
  if (channels !== 1) return null;
  if (isByte(type)) return { name: 'mono8', bytes: 1 };
  if (type.kind === 'integer' && type.bytes === 2) return { name: '16UC1', bytes: 2 };
  return type.kind === 'float' && type.bytes === 4 ? { name: '32FC1', bytes: 4 } : null;
}

/** A camera array that becomes a stream. */
export interface CameraPlan {
  readonly id: string;
  readonly role: Extract<StreamRole, 'camera' | 'depth'>;
  readonly dataset: RowArray;
  readonly pictures: PictureKind;
}

/**
 * Builds the stream of a camera with checksum and size of every image and a few sample images; images are not read if
 * `isRead` is false or the array is barely stored. Images that cannot be read are passed to `reading`.
 */
export async function cameraStream(
  plan: CameraPlan,
  reading: StepArrayReader,
  isRead: boolean,
): Promise<Stream> {
  const { id, role, dataset, pictures } = plan;
  const layout = pictures.kind === 'raw' ? pictures.layout : null;
  const isReadable = isRead && (await isStored(plan, reading));
  const frames = isReadable
    ? await readFrames(plan, reading)
    : describeFrames(plan, reading.path, new Uint8Array(0));
  return {
    ...{ id, role, modality: 'image', names: null, unit: noUnit, sample_count: dataset.rows },
    shape: layout === null ? [] : dataset.shape.slice(1),
    ...streamClock(reading.clock, dataset.rows),
    frames,
  };
}

async function isStored({ dataset, id }: CameraPlan, reading: StepArrayReader): Promise<boolean> {
  try {
    await assertStored(dataset, reading.path);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    reading.addUnreadable(id, thrown);
    return false;
  }
}

async function readFrames(plan: CameraPlan, reading: StepArrayReader): Promise<Frames> {
  const { dataset, pictures, id } = plan;
  const { rows } = dataset;
  const payloads = { crc32: new Uint32Array(rows), bytes: new Uint32Array(rows) };
  const keeper = new EvenPictureSampler(rows, reading.clock?.clock.time_s ?? null);
  const layout = pictures.kind === 'raw' ? pictures.layout : undefined;
  const block = blockRows(dataset);
  let failure: AssayError | null = null;
  for (let from = 0; from < rows; from += block) {
    let row = from;
    try {
      for (const bytes of await readPictures(plan, from, Math.min(rows, from + block))) {
        payloads.crc32[row] = crc32(bytes);
        payloads.bytes[row] = bytes.length;
        if (keeper.accepts(row, bytes.length)) keeper.add(row, bytes, layout);
        row++;
      }
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      failure ??= thrown;
    }
  }
  if (failure !== null) reading.addUnreadable(`part of ${id}`, failure);
  const first = keeper.pictures.find(({ bytes }) => bytes.length > 0)?.bytes ?? new Uint8Array(0);
  return { ...describeFrames(plan, reading.path, first), payloads, kept: keeper.pictures };
}

function blockRows({ type, rowBytes, chunkRows }: RowArray): number {
  if (type.kind === 'sequence') return sequenceRows;
  const fitting = Math.max(1, Math.floor(blockBytes.target / Math.max(1, rowBytes)));
  const areChunksWhole = chunkRows * rowBytes <= blockBytes.max;
  return areChunksWhole ? Math.max(chunkRows, fitting - (fitting % chunkRows)) : fitting;
}

function describeFrames({ id, pictures }: CameraPlan, path: string, first: Uint8Array): Frames {
  const layout = pictures.kind === 'raw' ? pictures.layout : null;
  const encoding = layout === null ? detectPictureEncoding(first) : 'raw';
  return {
    locator: { type: 'embedded', path, channel: id, encoding },
    declared_size_px: layout === null ? null : [layout.width, layout.height],
    declared_codec: layout?.encoding ?? null,
  };
}

/** Reads images of rows [from, to) as recorded; padded ones without their trailing zeros. */
async function readPictures(
  { dataset, pictures }: CameraPlan,
  from: number,
  to: number,
): Promise<Uint8Array[]> {
  if (pictures.kind === 'sequence') return dataset.readItems(from, to);
  const { rowBytes } = dataset;
  const bytes = await dataset.readBytes(from, to);
  return Array.from({ length: to - from }, (_, i) => {
    const row = bytes.subarray(i * rowBytes, (i + 1) * rowBytes);
    return pictures.kind === 'raw' ? row : withoutZeros(row);
  });
}

/** Removes trailing zeros; JPEG and PNG end in bytes that are not zero. */
function withoutZeros(row: Uint8Array): Uint8Array {
  let end = row.length;
  while (end > 0 && row[end - 1] === 0) end--;
  return row.subarray(0, end);
}

/** Reads one image of a camera; `null` if there is no such camera or row. */
export async function readPicture(
  cameras: readonly CameraPlan[],
  channel: string,
  row: number,
): Promise<Picture | null> {
  const camera = cameras.find(({ id }) => id === channel);
  if (camera === undefined || row < 0 || row >= camera.dataset.rows) return null;
  const [bytes] = await readPictures(camera, row, row + 1);
  const layout = camera.pictures.kind === 'raw' ? camera.pictures.layout : null;
  return bytes === undefined ? null : { bytes, layout };
}
