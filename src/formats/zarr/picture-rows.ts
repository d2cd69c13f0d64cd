import { crc32 } from 'node:zlib';
import type { PictureEncoding, RawLayout, SampledPicture, StreamRole, UnitOfMeasure } from '#core/episode';
import { detectPictureEncoding, EvenPictureSampler } from '../shared/embedded-pictures.ts';
import type { ArrayMeta } from './array-meta.ts';
import type { ArrayReader, ChunkStats } from './array-reader.ts';
import { findUnsupportedCodec } from './codecs.ts';

/** Images in some rows of an array. */
export interface PictureRows {
  readonly encoding: PictureEncoding;
  readonly payloads: { readonly crc32: Uint32Array; readonly bytes: Uint32Array };
  readonly kept: readonly SampledPicture[];
  /** Unsupported codec of the images; `null` if they can be read. */
  readonly unread: string | null;
}

/**
 * Returns checksum and size of each image of rows [from, to) and an even sample of the images; both numbers are 0 for rows
 * without readable bytes. `stats` counts missing and damaged chunks.
 *
 * Rows stored with an image codec as one chunk each are taken as image files; others are decoded chunk by chunk.
 */
export async function samplePictureRows(
  reader: ArrayReader,
  shape: PictureShape,
  [from, to]: readonly [number, number],
  time_s: Float64Array | null,
  stats: ChunkStats,
): Promise<PictureRows> {
  const rows = to - from;
  const checksums = { crc32: new Uint32Array(rows), bytes: new Uint32Array(rows) };
  const sampler = new EvenPictureSampler(rows, time_s);
  const record = (row: number, bytes: Uint8Array) => {
    checksums.crc32[row] = crc32(bytes);
    checksums.bytes[row] = bytes.length;
  };
  const codec = findUnsupportedCodec(reader.meta);
  if (codec !== null) {
    if (!reader.hasChunkPerRow) return { encoding: 'unknown', payloads: checksums, kept: [], unread: codec };
    let encoding: PictureEncoding = 'unknown';
    for (let row = 0; row < rows; row++) {
      const stored = await reader.readStoredRow(from + row, stats);
      if (stored === null) continue;
      record(row, stored);
      if (row === 0 || encoding === 'unknown') encoding = detectPictureEncoding(stored);
      if (encoding !== 'unknown' && sampler.accepts(row, stored.length)) sampler.add(row, stored);
    }
    return {
      encoding,
      payloads: checksums,
      kept: sampler.pictures,
      unread: encoding === 'unknown' ? codec : null,
    };
  }
  for (const [first, last] of reader.blocks(from, to)) {
    const block = await reader.readBlockBytes(first, last, stats);
    if (block === null) continue;
    const size = block.length / (last - first);
    for (let row = first; row < last; row++) {
      const bytes = block.subarray((row - first) * size, (row - first + 1) * size);
      record(row - from, bytes);
      if (sampler.accepts(row - from, size)) {
        const { layout, pixels } = toPicture(reader, shape, bytes);
        sampler.add(row - from, pixels, layout);
      }
    }
  }
  return { encoding: 'raw', payloads: checksums, kept: sampler.pictures, unread: stats.unread };
}

/** Reads one image by its row in the array; `null` if it is missing, damaged or not supported. */
export async function readPictureRow(
  reader: ArrayReader,
  shape: PictureShape,
  row: number,
  stats: ChunkStats,
): Promise<{ readonly bytes: Uint8Array; readonly layout?: RawLayout } | null> {
  if (findUnsupportedCodec(reader.meta) !== null) {
    const stored = reader.hasChunkPerRow ? await reader.readStoredRow(row, stats) : null;
    return stored === null ? null : { bytes: stored };
  }
  const block = await reader.readBlockBytes(row, row + 1, stats);
  if (block === null) return null;
  const { layout, pixels } = toPicture(reader, shape, block);
  return { bytes: Uint8Array.from(pixels), layout };
}

/** Converts pixels to a layout that decoders support: bytes unchanged, float depth to 32FC1, float colour to bytes. */
function toPicture(
  { meta }: ArrayReader,
  { height, width, channels, depth }: PictureShape,
  bytes: Uint8Array,
): { layout: RawLayout; pixels: Uint8Array } {
  const build = (encoding: string, pixelBytes: number, pixels: Uint8Array) => ({
    layout: { encoding, width, height, step: width * pixelBytes },
    pixels,
  });
  const colour = channels === 3 ? 'rgb8' : channels === 4 ? 'rgba8' : 'mono8';
  if (meta.type!.bytes === 1) return build(colour, channels, bytes);
  if (meta.type!.bytes === 2) return build('16UC1', 2, bytes);
  const copy = Uint8Array.from(bytes).buffer;
  const values = meta.type!.bytes === 8 ? new Float64Array(copy) : new Float32Array(copy);
  if (depth && channels === 1) return build('32FC1', 4, new Uint8Array(Float32Array.from(values).buffer));
  return build(colour, channels, floatsToBytes(values));
}

/**
 * Converts float pixels to bytes. Values range from 0 to 255 or from 0 to 1; an image that never exceeds 1 is taken for
 * the latter.
 */
function floatsToBytes(values: Float32Array | Float64Array): Uint8Array {
  let max = 0;
  for (const value of values) if (value > max) max = value;
  const scale = max <= 1 ? 255 : 1;
  const bytes = new Uint8ClampedArray(values.length);
  for (let i = 0; i < values.length; i++) bytes[i] = values[i] * scale;
  return new Uint8Array(bytes.buffer);
}

/** Roles by array name, as used by diffusion_policy, UMI and related projects; the first match counts. */
const roleRules: readonly (readonly [RegExp, StreamRole])[] = [
  [/(^|\/)robot\d*_demo_(start|end)_pose$|(^|[_/])stage$/, 'annotation'],
  [/embedding|keypoint|contact/, 'other'],
  [/(^|\/)actions?($|[_/])/, 'action'],
  [/(^|\/)reward/, 'reward'],
  [/depth/, 'depth'],
  [/force|torque|wrench|effort/, 'effort'],
  [/tactile/, 'tactile'],
  [/state|pose|joint|eef|gripper|proprio|qpos|qvel|agent_pos|robot\d*_/, 'state'],
];

/** Returns the role of an array by its name; `other` if no rule matches. */
export function arrayRole(name: string): StreamRole {
  return roleRules.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 'other';
}

/** Image dimensions of a row. */
interface PictureShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly depth: boolean;
}

const minSide_px = 8;

/**
 * Returns the image dimensions of an array (T, H, W, C) of bytes or floats, or (T, H, W) with the name of an image;
 * `null` for anything else.
 */
export function pictureShape({ shape, type }: ArrayMeta, name: string): PictureShape | null {
  if (type === null || (shape.length !== 4 && shape.length !== 3)) return null;
  const [, height, width] = shape;
  const channels = shape[3] ?? 1;
  const depth = /depth/i.test(name);
  if (height < minSide_px || width < minSide_px || ![1, 3, 4].includes(channels)) return null;
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
  [/^robot\d+_eef_pos$/, 'm', 'UMI: end effector position in m'],
  [/^robot\d+_eef_rot_axis_angle$/, 'rad', 'UMI: axis-angle rotation in rad'],
  [/^robot\d+_gripper_width$/, 'm', 'UMI: gripper width in m'],
];

const noUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'replay buffers declare no units',
};

/** Returns the unit of an array in a UMI set; `unknown` in other replay buffers, which define no units. */
export function arrayUnit(name: string, umi: boolean): UnitOfMeasure {
  const row = umi ? umiUnits.find(([pattern]) => pattern.test(name)) : undefined;
  return row === undefined ? noUnit : { unit: row[1], evidence: 'known_format', reason: row[2] };
}

/** True if the array names are those of UMI: only UMI writes these two for its first robot. */
export function isUmi(names: readonly string[]): boolean {
  return names.includes('robot0_eef_pos') && names.includes('robot0_gripper_width');
}
