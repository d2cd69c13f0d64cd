import { crc32 } from 'node:zlib';
import type { FrameLocator, RawLayout, Stream } from '#core/episode';
import { embeddedEncoding, PictureKeeper } from '../shared/kept-pictures.ts';
import type { Leaf } from './feature-tree.ts';
import type { FeatureValues } from './records/example.ts';
import { roleOf } from './roles.ts';
import { tfdsBreach } from './rules.ts';
import { clockPart, noUnit, type Steps, tensorBytes } from './step-streams.ts';

/** One picture unpacked; a shape beyond this is no camera's. */
const mostPixelBytes = 128 * 1024 * 1024;

/** A picture file a step, or pixels that a tensor packed. */
export function isCamera(leaf: Leaf): boolean {
  return leaf.per_step && (leaf.kind === 'image' || layoutOf(leaf) !== null);
}

/** The camera of a feature; null where the record has none of its pictures. */
export function cameraStream(leaf: Leaf, steps: Steps): Stream | null {
  const values = steps.example.get(leaf.key);
  if (values === undefined || values.kind !== 'bytes' || values.count === 0) return null;
  const rows = values.count;
  const layout = layoutOf(leaf);
  const keeper = new PictureKeeper(rows, steps.clock?.clock.time_s ?? null);
  const payloads = { crc32: new Uint32Array(rows), bytes: new Uint32Array(rows) };
  for (let row = 0; row < rows; row++) {
    const bytes = payloadOf(leaf, values, row);
    payloads.crc32[row] = crc32(bytes);
    payloads.bytes[row] = bytes.length;
    if (keeper.wants(row, bytes.length)) keeper.keep(row, bytes, layout ?? undefined);
  }
  const kept = keeper.kept.find(({ bytes }) => bytes.length > 0);
  const encoding = layout !== null ? 'raw' : embeddedEncoding(kept?.bytes ?? new Uint8Array(0));
  const locator: FrameLocator = { type: 'embedded', path: steps.path, channel: leaf.id, encoding };
  reportCount(leaf, rows, steps);
  return {
    id: leaf.id,
    role: layout === null ? roleOf(leaf) : 'camera',
    modality: 'image',
    shape: leaf.shape.filter((size) => size !== null),
    names: null,
    unit: noUnit,
    declared_rate_hz: null,
    sample_count: rows,
    ...clockPart(rows <= steps.count ? steps.clock : null, rows),
    frames: { locator, declared_size_px: sizeOf(leaf), declared_codec: null, payloads, kept: keeper.kept },
  };
}

/** The payload of one row as `cameraStream` saw it. */
export function payloadOf(leaf: Leaf, values: FeatureValues, row: number): Uint8Array {
  const stored = values.bytes(row);
  const layout = layoutOf(leaf);
  return layout === null ? stored : tensorBytes(leaf, stored, layout.step * layout.height);
}

/** How the bytes of a packed picture lie: uint8, height first, channels last. */
export function layoutOf({ kind, encoding, dtype, shape }: Leaf): RawLayout | null {
  const [height, width, channels] = shape;
  if (kind !== 'tensor' || encoding === 'none' || dtype !== 'uint8' || shape.length !== 3) return null;
  const name = channels === 3 ? 'rgb8' : channels === 4 ? 'rgba8' : channels === 1 ? 'mono8' : null;
  if (name === null || channels == null || height == null || width == null) return null;
  if (!(height * width * channels <= mostPixelBytes)) return null;
  return { encoding: name, width, height, step: width * channels };
}

function sizeOf({ shape }: Leaf): readonly [number, number] | null {
  const [height, width] = shape.slice(-3);
  return shape.length >= 3 && height != null && width != null ? [width, height] : null;
}

function reportCount(leaf: Leaf, rows: number, { count, path, findings }: Steps): void {
  if (rows === count) return;
  const message = `${leaf.id} holds ${rows} pictures for ${count} steps`;
  const evidence = { feature: leaf.id, found: rows, steps: count };
  findings.push(tfdsBreach('feature_length_wrong', path, message, evidence));
}
