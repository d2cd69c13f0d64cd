import { crc32 } from 'node:zlib';
import type { Hdf5Dataset } from '@assay/hdf5';
import { AssayError } from '#core';
import type { Frames, RawLayout, Stream, StreamRole } from '#core/episode';
import { pictureFormat } from '#core/episode';
import { embeddedEncoding, PictureKeeper } from '../../shared/kept-pictures.ts';
import { checkStored, clockPart, noUnit, type StepReading } from '../../shared/step-arrays/numeric-stream.ts';
import type { Picture } from './family.ts';

/** How the pictures of an array are stored. */
export type PictureKind =
  /** Pixels, one picture a row. */
  | { readonly kind: 'raw'; readonly layout: RawLayout }
  /** A picture file a row, zeros behind it. */
  | { readonly kind: 'padded' }
  /** A picture file a row, each as long as it is. */
  | { readonly kind: 'sequence' };

/** Smaller or larger than this no camera looks. */
const leastSide_px = 8;
const mostSide_px = 16_384;
const mostPictureBytes = 192 * 1024 * 1024;
const mostPictures = 10_000_000;
/** Rows read at once: as many as fit into the first, and whole chunks where these fit into the second. */
const blockBytes = { usual: 16 * 1024 * 1024, most: 128 * 1024 * 1024 };
/** Rows read at once whose length nobody says. */
const sequenceRows = 32;

/** Tells arrays of pictures by type and shape, and encoded ones by their first bytes; null: no pictures. */
export async function pictureKindOf(
  dataset: Hdf5Dataset,
  colours: 'rgb8' | '8UC3',
): Promise<PictureKind | null> {
  const { type, shape, rows } = dataset;
  if (rows === 0 || rows > mostPictures || dataset.rowBytes > mostPictureBytes) return null;
  if (type.kind === 'sequence') {
    return isByte(type.base) && (await startsAsPicture(dataset)) ? { kind: 'sequence' } : null;
  }
  const layout = rawLayout(dataset, colours);
  if (layout !== null) return { kind: 'raw', layout };
  const mayBePadded = isByte(type) && shape.length === 2 && shape[1] >= 64;
  return mayBePadded && (await startsAsPicture(dataset)) ? { kind: 'padded' } : null;
}

function isByte(type: Hdf5Dataset['type']): boolean {
  return type.kind === 'integer' && type.bytes === 1;
}

async function startsAsPicture(dataset: Hdf5Dataset): Promise<boolean> {
  const isSequence = dataset.type.kind === 'sequence';
  const [first] = isSequence ? await dataset.readItems(0, 1) : [await dataset.readBytes(0, 1)];
  return first !== undefined && pictureFormat(first) !== null;
}

function rawLayout({ type, shape }: Hdf5Dataset, colours: 'rgb8' | '8UC3'): RawLayout | null {
  const [, height, width, channels = 1] = shape;
  if (shape.length < 3 || shape.length > 4) return null;
  if (Math.min(height, width) < leastSide_px || Math.max(height, width) > mostSide_px) return null;
  const encoding = encodingOf(type, channels, colours);
  return encoding === null ? null : { encoding: encoding.name, width, height, step: width * encoding.bytes };
}

function encodingOf(
  type: Hdf5Dataset['type'],
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

export interface CameraPlan {
  readonly id: string;
  readonly role: Extract<StreamRole, 'camera' | 'depth'>;
  readonly dataset: Hdf5Dataset;
  readonly pictures: PictureKind;
}

/** The pictures of an array: a checksum of each, a few of them, and where the rest lies. */
export async function cameraStream(plan: CameraPlan, reading: StepReading, isRead: boolean): Promise<Stream> {
  const { id, role, dataset, pictures } = plan;
  const layout = pictures.kind === 'raw' ? pictures.layout : null;
  const isThere = isRead && (await isStored(plan, reading));
  const frames = isThere ? await readFrames(plan, reading) : framesOf(plan, reading.path, new Uint8Array(0));
  return {
    ...{ id, role, modality: 'image', names: null, unit: noUnit, sample_count: dataset.rows },
    shape: layout === null ? [] : dataset.shape.slice(1),
    ...clockPart(reading.clock, dataset.rows),
    frames,
  };
}

async function isStored({ dataset, id }: CameraPlan, reading: StepReading): Promise<boolean> {
  try {
    await checkStored(dataset, reading.path);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    reading.unread(id, thrown);
    return false;
  }
}

async function readFrames(plan: CameraPlan, reading: StepReading): Promise<Frames> {
  const { dataset, pictures, id } = plan;
  const { rows } = dataset;
  const payloads = { crc32: new Uint32Array(rows), bytes: new Uint32Array(rows) };
  const keeper = new PictureKeeper(rows, reading.clock?.clock.time_s ?? null);
  const layout = pictures.kind === 'raw' ? pictures.layout : undefined;
  const block = blockRows(dataset);
  let failure: AssayError | null = null;
  for (let from = 0; from < rows; from += block) {
    let row = from;
    try {
      for (const bytes of await picturesOf(plan, from, Math.min(rows, from + block))) {
        payloads.crc32[row] = crc32(bytes);
        payloads.bytes[row] = bytes.length;
        if (keeper.wants(row, bytes.length)) keeper.keep(row, bytes, layout);
        row++;
      }
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      failure ??= thrown;
    }
  }
  if (failure !== null) reading.unread(`a part of ${id}`, failure);
  const first = keeper.kept.find(({ bytes }) => bytes.length > 0)?.bytes ?? new Uint8Array(0);
  return { ...framesOf(plan, reading.path, first), payloads, kept: keeper.kept };
}

function blockRows({ type, rowBytes, chunkRows }: Hdf5Dataset): number {
  if (type.kind === 'sequence') return sequenceRows;
  const fitting = Math.max(1, Math.floor(blockBytes.usual / Math.max(1, rowBytes)));
  const areChunksWhole = chunkRows * rowBytes <= blockBytes.most;
  return areChunksWhole ? Math.max(chunkRows, fitting - (fitting % chunkRows)) : fitting;
}

function framesOf({ id, pictures }: CameraPlan, path: string, first: Uint8Array): Frames {
  const layout = pictures.kind === 'raw' ? pictures.layout : null;
  const encoding = layout === null ? embeddedEncoding(first) : 'raw';
  return {
    locator: { type: 'embedded', path, channel: id, encoding },
    declared_size_px: layout === null ? null : [layout.width, layout.height],
    declared_codec: layout?.encoding ?? null,
  };
}

/** Pictures of some rows, as they are recorded; encoded ones without the zeros behind them. */
async function picturesOf(
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

/** JPEG and PNG end in bytes that are not zero. */
function withoutZeros(row: Uint8Array): Uint8Array {
  let end = row.length;
  while (end > 0 && row[end - 1] === 0) end--;
  return row.subarray(0, end);
}

/** One picture of the cameras of an episode; null where there is no such camera or row. */
export async function pictureAt(
  cameras: readonly CameraPlan[],
  channel: string,
  row: number,
): Promise<Picture | null> {
  const camera = cameras.find(({ id }) => id === channel);
  if (camera === undefined || row < 0 || row >= camera.dataset.rows) return null;
  const [bytes] = await picturesOf(camera, row, row + 1);
  const layout = camera.pictures.kind === 'raw' ? camera.pictures.layout : null;
  return bytes === undefined ? null : { bytes, layout };
}
