import { crc32 } from 'node:zlib';
import type { KeptPicture, PictureEncoding, RawLayout, StreamRole, UnitOfMeasure } from '#core/episode';
import { embeddedEncoding, PictureKeeper } from '../../shared/kept-pictures.ts';
import type { ArrayMeta } from './array-meta.ts';
import type { ArrayReader, ChunkNotes } from './array-reader.ts';
import { unreadCodec } from './codecs.ts';

/** What was seen of the pictures in some rows of an array. */
export interface PictureRows {
  readonly encoding: PictureEncoding;
  readonly payloads: { readonly crc32: Uint32Array; readonly bytes: Uint32Array };
  readonly kept: readonly KeptPicture[];
  /** The codec that keeps the pictures from being seen; null where they are. */
  readonly unread: string | null;
}

/**
 * Goes through the pictures of rows [from, to). Those packed by a codec of pictures, each in a chunk of its own, are
 * taken as the picture files they are; numbers are unpacked chunk by chunk.
 */
export async function readPictureRows(
  reader: ArrayReader,
  shape: PictureShape,
  [from, to]: readonly [number, number],
  time_s: Float64Array | null,
  notes: ChunkNotes,
): Promise<PictureRows> {
  const rows = to - from;
  const seen = { crc32: new Uint32Array(rows), bytes: new Uint32Array(rows) };
  const keeper = new PictureKeeper(rows, time_s);
  const take = (row: number, bytes: Uint8Array) => {
    seen.crc32[row] = crc32(bytes);
    seen.bytes[row] = bytes.length;
  };
  const codec = unreadCodec(reader.meta);
  if (codec !== null) {
    if (!reader.chunkPerRow) return { encoding: 'unknown', payloads: seen, kept: [], unread: codec };
    let encoding: PictureEncoding = 'unknown';
    for (let row = 0; row < rows; row++) {
      const stored = await reader.storedRow(from + row, notes);
      if (stored === null) continue;
      take(row, stored);
      if (row === 0 || encoding === 'unknown') encoding = embeddedEncoding(stored);
      if (encoding !== 'unknown' && keeper.wants(row, stored.length)) keeper.keep(row, stored);
    }
    return { encoding, payloads: seen, kept: keeper.kept, unread: encoding === 'unknown' ? codec : null };
  }
  for (const [first, last] of reader.blocks(from, to)) {
    const block = await reader.rawBlock(first, last, notes);
    if (block === null) continue;
    const size = block.length / (last - first);
    for (let row = first; row < last; row++) {
      const bytes = block.subarray((row - first) * size, (row - first + 1) * size);
      take(row - from, bytes);
      if (keeper.wants(row - from, size)) {
        const { layout, pixels } = asPicture(reader, shape, bytes);
        keeper.keep(row - from, pixels, layout);
      }
    }
  }
  return { encoding: 'raw', payloads: seen, kept: keeper.kept, unread: notes.unread };
}

/** One picture again, by its row in the array. */
export async function pictureInRow(
  reader: ArrayReader,
  shape: PictureShape,
  row: number,
  notes: ChunkNotes,
): Promise<{ readonly bytes: Uint8Array; readonly layout?: RawLayout } | null> {
  if (unreadCodec(reader.meta) !== null) {
    const stored = reader.chunkPerRow ? await reader.storedRow(row, notes) : null;
    return stored === null ? null : { bytes: stored };
  }
  const block = await reader.rawBlock(row, row + 1, notes);
  if (block === null) return null;
  const { layout, pixels } = asPicture(reader, shape, block);
  return { bytes: Uint8Array.from(pixels), layout };
}

/** Pixels as the decoders take them: bytes stay as they are, distances become 32FC1, floats of colour bytes. */
function asPicture(
  { meta }: ArrayReader,
  { height, width, channels, depth }: PictureShape,
  bytes: Uint8Array,
): { layout: RawLayout; pixels: Uint8Array } {
  const laidOut = (encoding: string, pixelBytes: number, pixels: Uint8Array) => ({
    layout: { encoding, width, height, step: width * pixelBytes },
    pixels,
  });
  const colour = channels === 3 ? 'rgb8' : channels === 4 ? 'rgba8' : 'mono8';
  if (meta.type!.bytes === 1) return laidOut(colour, channels, bytes);
  if (meta.type!.bytes === 2) return laidOut('16UC1', 2, bytes);
  const copy = Uint8Array.from(bytes).buffer;
  const values = meta.type!.bytes === 8 ? new Float64Array(copy) : new Float32Array(copy);
  if (depth && channels === 1) return laidOut('32FC1', 4, new Uint8Array(Float32Array.from(values).buffer));
  return laidOut(colour, channels, bytesOfFloats(values));
}

/** Floats of pictures run from 0 to 255 or from 0 to 1; a picture that never passes 1 is taken for the latter. */
function bytesOfFloats(values: Float32Array | Float64Array): Uint8Array {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  const scale = largest <= 1 ? 255 : 1;
  const bytes = new Uint8ClampedArray(values.length);
  for (let i = 0; i < values.length; i++) bytes[i] = values[i] * scale;
  return new Uint8Array(bytes.buffer);
}

/** First match counts. Names as diffusion_policy, UMI and their relatives use them. */
const roles: readonly (readonly [RegExp, StreamRole])[] = [
  [/(^|\/)robot\d*_demo_(start|end)_pose$|(^|[_/])stage$/, 'annotation'],
  [/embedding|keypoint|contact/, 'other'],
  [/(^|\/)actions?($|[_/])/, 'action'],
  [/(^|\/)reward/, 'reward'],
  [/depth/, 'depth'],
  [/force|torque|wrench|effort/, 'effort'],
  [/tactile/, 'tactile'],
  [/state|pose|joint|eef|gripper|proprio|qpos|qvel|agent_pos|robot\d*_/, 'state'],
];

/** What an array of numbers is, by its name; what no name tells is `other`, kept and not judged. */
export function roleOfArray(name: string): StreamRole {
  return roles.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 'other';
}

/** How the pictures of an array lie in a row. */
interface PictureShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly depth: boolean;
}

const leastSide = 8;

/** (T, H, W, C) of bytes or floats, or (T, H, W) where the name says that it is a picture; null for anything else. */
export function pictureShape({ shape, type }: ArrayMeta, name: string): PictureShape | null {
  if (type === null || (shape.length !== 4 && shape.length !== 3)) return null;
  const [, height, width] = shape;
  const channels = shape[3] ?? 1;
  const depth = /depth/i.test(name);
  if (height < leastSide || width < leastSide || ![1, 3, 4].includes(channels)) return null;
  if (shape.length === 3 && !/depth|img|image|rgb|gray|mono|cam/i.test(name)) return null;
  if (
    type.name !== 'u1' &&
    type.name !== 'f4' &&
    type.name !== 'f8' &&
    !(type.name === 'u2' && channels === 1)
  )
    return null;
  return { height, width, channels, depth };
}

const umiUnits: readonly (readonly [RegExp, string, string])[] = [
  [/^robot\d+_eef_pos$/, 'm', 'UMI: position of the end effector in metres'],
  [/^robot\d+_eef_rot_axis_angle$/, 'rad', 'UMI: axis times angle in radians'],
  [/^robot\d+_gripper_width$/, 'm', 'UMI: width between the fingers in metres'],
];

const noUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'a replay buffer names no units',
};

/** UMI fixes its units; a replay buffer of anybody else says none. */
export function unitOfArray(name: string, umi: boolean): UnitOfMeasure {
  const row = umi ? umiUnits.find(([pattern]) => pattern.test(name)) : undefined;
  return row === undefined ? noUnit : { unit: row[1], evidence: 'known_format', reason: row[2] };
}

/** UMI writes these two for its first robot, and nobody else does. */
export function isUmi(names: readonly string[]): boolean {
  return names.includes('robot0_eef_pos') && names.includes('robot0_gripper_width');
}
