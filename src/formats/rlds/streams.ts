import { crc32, inflateSync } from 'node:zlib';
import type {
  Clock,
  ClockChoice,
  Finding,
  FrameLocator,
  RawLayout,
  Series,
  Stream,
  StreamRole,
  UnitOfMeasure,
} from '#core/episode';
import { detectPictureEncoding, EvenPictureSampler } from '../shared/embedded-pictures.ts';
import type { FeatureValues } from './example.ts';
import { featureRole, type Leaf } from './features.ts';
import type { KnownDataset } from './known-datasets.ts';
import { tfdsViolation } from './rules.ts';

/** Maximum bytes of an unpacked image; larger shapes are no camera images. */
const maxPixelBytes = 128 * 1024 * 1024;

/** True for a per-step feature with image files or packed pixels. */
export function isCamera(leaf: Leaf): boolean {
  return leaf.per_step && (leaf.kind === 'image' || rawLayout(leaf) !== null);
}

/**
 * Builds the camera stream of a feature, with checksums and a sample of its images, `null` if the record has none;
 * another count than that of the steps is added to `steps.findings`.
 */
export function cameraStream(leaf: Leaf, steps: Steps): Stream | null {
  const values = steps.example.get(leaf.key);
  if (values === undefined || values.kind !== 'bytes' || values.count === 0) return null;
  const rows = values.count;
  const layout = rawLayout(leaf);
  const sampler = new EvenPictureSampler(rows, steps.clock?.clock.time_s ?? null);
  const payloads = { crc32: new Uint32Array(rows), bytes: new Uint32Array(rows) };
  for (let row = 0; row < rows; row++) {
    const bytes = readPayload(leaf, values, row);
    payloads.crc32[row] = crc32(bytes);
    payloads.bytes[row] = bytes.length;
    if (sampler.accepts(row, bytes.length)) sampler.add(row, bytes, layout ?? undefined);
  }
  const sample = sampler.pictures.find(({ bytes }) => bytes.length > 0);
  const encoding = layout !== null ? 'raw' : detectPictureEncoding(sample?.bytes ?? new Uint8Array(0));
  const locator: FrameLocator = { type: 'embedded', path: steps.path, channel: leaf.id, encoding };
  reportCount(leaf, rows, steps);
  return {
    id: leaf.id,
    role: layout === null ? featureRole(leaf) : 'camera',
    modality: 'image',
    shape: leaf.shape.filter((size) => size !== null),
    names: null,
    unit: noUnit,
    declared_rate_hz: null,
    sample_count: rows,
    ...clockPart(rows <= steps.count ? steps.clock : null, rows),
    frames: {
      locator,
      declared_size_px: declaredSize(leaf),
      declared_codec: null,
      payloads,
      kept: sampler.pictures,
    },
  };
}

/** Returns the image bytes of one row, unpacked as in `cameraStream`; empty if they cannot be unpacked. */
export function readPayload(leaf: Leaf, values: FeatureValues, row: number): Uint8Array {
  const stored = values.bytes(row);
  const layout = rawLayout(leaf);
  return layout === null ? stored : tensorBytes(leaf, stored, layout.step * layout.height);
}

/**
 * Returns the layout of a tensor with packed pixels (uint8, height first, channels last); `null` for other features.
 */
export function rawLayout({ kind, encoding, dtype, shape }: Leaf): RawLayout | null {
  const [height, width, channels] = shape;
  if (kind !== 'tensor' || encoding === 'none' || dtype !== 'uint8' || shape.length !== 3) return null;
  const name = channels === 3 ? 'rgb8' : channels === 4 ? 'rgba8' : channels === 1 ? 'mono8' : null;
  if (name === null || channels == null || height == null || width == null) return null;
  if (!(height * width * channels <= maxPixelBytes)) return null;
  return { encoding: name, width, height, step: width * channels };
}

function declaredSize({ shape }: Leaf): readonly [number, number] | null {
  const [height, width] = shape.slice(-3);
  return shape.length >= 3 && height != null && width != null ? [width, height] : null;
}

function reportCount(leaf: Leaf, rows: number, { count, path, findings }: Steps): void {
  if (rows === count) return;
  const message = `${leaf.id} has ${rows} images for ${count} steps`;
  const evidence = { feature: leaf.id, found: rows, steps: count };
  findings.push(tfdsViolation('feature_length_wrong', path, message, evidence));
}

/** Inputs for the streams of one episode. */
export interface Steps {
  readonly example: ReadonlyMap<string, FeatureValues>;
  readonly count: number;
  readonly clock: StepClock | null;
  /** Path of the shard. */
  readonly path: string;
  readonly findings: Finding[];
}

/** Maximum numbers per row; wider rows are counted but not read. */
const maxDimensions = 4096;

export const noUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'features.json declares no units',
};

/** Returns clock fields for `rows` samples; none if `clock` is `null`. */
export function clockPart(clock: StepClock | null, rows: number): Pick<Stream, 'clocks' | 'clock'> {
  if (clock === null) return { clocks: [], clock: null };
  const { time_s } = clock.clock;
  const rowClock =
    rows === time_s.length ? clock.clock : { ...clock.clock, time_s: time_s.subarray(0, rows) };
  return { clocks: [rowClock], clock: clock.choice };
}

/**
 * Builds the stream of a tensor, opaque if it is too wide or undecodable, `null` if the record has no values; wrong
 * lengths are added to `steps.findings`.
 */
export function numericStream(leaf: Leaf, steps: Steps): Stream | null {
  const role = featureRole(leaf);
  if (leaf.shape.includes(null) && steps.example.has(`${leaf.key}/ragged_row_lengths_0`))
    return raggedStream(leaf, role, steps);
  const values = steps.example.get(leaf.key);
  if (values === undefined || values.count === 0) return null;
  if (values.kind === 'bytes') return packedStream(leaf, role, values, steps);
  const dims = resolveWidth(leaf, values.count, steps);
  const rows = Math.min(steps.count, Math.floor(values.count / Math.max(1, dims)));
  if (dims > maxDimensions) return opaqueStream(leaf, role, rows, steps);
  const numbers = values.numbers();
  return seriesStream(leaf, role, { values: numbers.subarray(0, rows * dims), dims }, rows, steps);
}

/**
 * Returns the numbers per step: as declared if that matches the stored values, else the values divided evenly among the
 * steps. Mismatches are reported.
 */
function resolveWidth(leaf: Leaf, count: number, { count: steps, path, findings }: Steps): number {
  const declared = leaf.shape.includes(null) ? null : leaf.shape.reduce<number>((a, b) => a * (b ?? 1), 1);
  if (declared !== null && declared * steps === count) return declared;
  const even = steps > 0 && count % steps === 0;
  if (declared === null && even) return count / steps;
  const message = `${leaf.id} has ${count} numbers instead of ${declared ?? '?'} for each of ${steps} steps`;
  const evidence = { feature: leaf.id, found: count, steps };
  findings.push(tfdsViolation('feature_length_wrong', path, message, evidence));
  return even ? count / steps : (declared ?? 1);
}

function seriesStream(leaf: Leaf, role: StreamRole, series: Series, rows: number, steps: Steps): Stream {
  const declared = leaf.shape.filter((size) => size !== null);
  const fits = declared.length === leaf.shape.length && declared.reduce((a, b) => a * b, 1) === series.dims;
  return {
    ...streamBase(leaf, role, rows, steps),
    modality: 'numeric',
    shape: fits ? declared : [series.dims],
    series,
  };
}

function opaqueStream(leaf: Leaf, role: StreamRole, rows: number, steps: Steps): Stream {
  const shape = leaf.shape.filter((size) => size !== null);
  return { ...streamBase(leaf, role === 'camera' ? role : 'other', rows, steps), modality: 'opaque', shape };
}

function streamBase(
  leaf: Leaf,
  role: StreamRole,
  rows: number,
  steps: Steps,
): Omit<Stream, 'modality' | 'shape'> {
  return {
    id: leaf.id,
    role,
    names: null,
    unit: noUnit,
    declared_rate_hz: null,
    sample_count: rows,
    ...clockPart(steps.clock, rows),
  };
}

/** Builds the stream of a ragged tensor: numeric if all rows have the same length, else opaque. */
function raggedStream(leaf: Leaf, role: StreamRole, steps: Steps): Stream {
  const lengths = steps.example.get(`${leaf.key}/ragged_row_lengths_0`)!.numbers();
  const flat = steps.example.get(`${leaf.key}/ragged_flat_values`);
  const rows = Math.min(steps.count, lengths.length);
  const dims = lengths.length === 0 ? 0 : lengths[0];
  const even = lengths.every((length) => length === dims) && flat?.count === dims * lengths.length;
  if (even && flat !== undefined && flat.kind !== 'bytes' && dims > 0 && dims <= maxDimensions)
    return seriesStream(leaf, role, { values: flat.numbers().subarray(0, rows * dims), dims }, rows, steps);
  return opaqueStream(leaf, role, rows, steps);
}

/** Builds the stream of tensors stored as bytes, one entry per step. */
function packedStream(leaf: Leaf, role: StreamRole, values: FeatureValues, steps: Steps): Stream {
  const rows = Math.min(steps.count, values.count);
  const dims = leaf.shape.reduce<number>((a, b) => a * (b ?? 0), 1);
  if (typeBytes(leaf.dtype) === null || dims === 0 || dims > maxDimensions)
    return opaqueStream(leaf, role, rows, steps);
  const series = decodeTensors(leaf, dims, rows, (row) => tensorBytes(leaf, values.bytes(row), dims));
  if (series !== null) return seriesStream(leaf, role, series, rows, steps);
  const message = `${leaf.id} is stored as ${leaf.encoding} but does not have ${dims} ${leaf.dtype} numbers per step`;
  steps.findings.push(tfdsViolation('tensor_undecodable', steps.path, message));
  return opaqueStream(leaf, role, rows, steps);
}

/** Returns the bytes of one tensor of `dims` numbers; empty if they cannot be unpacked or have another length. */
function tensorBytes({ encoding, dtype }: Leaf, stored: Uint8Array, dims: number): Uint8Array {
  const expectedBytes = dims * (typeBytes(dtype) ?? 0);
  if (encoding !== 'zlib') return stored.length === expectedBytes ? stored : new Uint8Array(0);
  try {
    const plain = inflateSync(stored, { maxOutputLength: Math.max(1, expectedBytes) });
    return plain.length === expectedBytes ? plain : new Uint8Array(0);
  } catch {
    return new Uint8Array(0);
  }
}

interface StepClock {
  readonly clock: Clock;
  readonly choice: ClockChoice;
}

/**
 * Returns a clock with step `i` at `i / rate` seconds, by the rate known for the dataset; `null` if it is unknown,
 * since RLDS stores no times.
 */
export function clockOfSteps(steps: number, known: KnownDataset | null): StepClock | null {
  const rate = known?.rate ?? null;
  if (rate === null) return null;
  const time_s = new Float64Array(steps);
  for (let step = 0; step < steps; step++) time_s[step] = step / rate.hz;
  const reason = `RLDS stores no timestamps; times are step / ${rate.hz} Hz, a rate known from the dataset name: ${rate.reason}`;
  return {
    clock: { name: `step / ${rate.hz} Hz`, provenance: 'synthesised', time_s },
    choice: { index: 0, reason },
  };
}

interface NumberType {
  readonly bytes: number;
  /** True if a double is needed to represent every value. */
  readonly needs_double: boolean;
  read(view: DataView, at: number): number;
}

const numberTypes: Readonly<Record<string, NumberType>> = {
  bool: { bytes: 1, needs_double: false, read: (view, at) => view.getUint8(at) },
  uint8: { bytes: 1, needs_double: false, read: (view, at) => view.getUint8(at) },
  int8: { bytes: 1, needs_double: false, read: (view, at) => view.getInt8(at) },
  uint16: { bytes: 2, needs_double: false, read: (view, at) => view.getUint16(at, true) },
  int16: { bytes: 2, needs_double: false, read: (view, at) => view.getInt16(at, true) },
  uint32: { bytes: 4, needs_double: true, read: (view, at) => view.getUint32(at, true) },
  int32: { bytes: 4, needs_double: true, read: (view, at) => view.getInt32(at, true) },
  int64: { bytes: 8, needs_double: true, read: (view, at) => Number(view.getBigInt64(at, true)) },
  float32: { bytes: 4, needs_double: false, read: (view, at) => view.getFloat32(at, true) },
  float64: { bytes: 8, needs_double: true, read: (view, at) => view.getFloat64(at, true) },
};

/** Returns the bytes per number of a type; `null` if the type is not supported. */
function typeBytes(dtype: string | null): number | null {
  return dtype === null ? null : (numberTypes[dtype]?.bytes ?? null);
}

/** Decodes rows of `dims` numbers; `null` if the type is unsupported or a row has the wrong length. */
function decodeTensors(
  { dtype }: Leaf,
  dims: number,
  rows: number,
  rowBytes: (row: number) => Uint8Array,
): Series | null {
  const type = numberTypes[dtype ?? ''];
  if (type === undefined) return null;
  const values = type.needs_double ? new Float64Array(rows * dims) : new Float32Array(rows * dims);
  for (let row = 0; row < rows; row++) {
    const bytes = rowBytes(row);
    if (bytes.length !== dims * type.bytes) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let d = 0; d < dims; d++) values[row * dims + d] = type.read(view, d * type.bytes);
  }
  return { values, dims };
}
