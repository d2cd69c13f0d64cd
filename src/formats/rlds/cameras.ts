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
import { embeddedEncoding, PictureKeeper } from '../shared/kept-pictures.ts';
import type { Leaf } from './feature-tree.ts';
import type { KnownDataset } from './known-datasets.ts';
import type { FeatureValues } from './records/example.ts';
import { roleOf } from './roles.ts';
import { tfdsBreach } from './rules.ts';

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

/** What the streams of one episode are made from. */
export interface Steps {
  readonly example: ReadonlyMap<string, FeatureValues>;
  readonly count: number;
  readonly clock: StepClock | null;
  /** The shard. */
  readonly path: string;
  readonly findings: Finding[];
}

/** Wider rows than this are no signal; they are counted and not held. */
const mostDimensions = 4096;

export const noUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'features.json names no units',
};

export function clockPart(clock: StepClock | null, rows: number): Pick<Stream, 'clocks' | 'clock'> {
  if (clock === null) return { clocks: [], clock: null };
  const { time_s } = clock.clock;
  const own = rows === time_s.length ? clock.clock : { ...clock.clock, time_s: time_s.subarray(0, rows) };
  return { clocks: [own], clock: clock.choice };
}

/** The numbers of a tensor, a row a step; null where the record has none. */
export function numericStream(leaf: Leaf, steps: Steps): Stream | null {
  const role = roleOf(leaf);
  if (leaf.shape.includes(null) && steps.example.has(`${leaf.key}/ragged_row_lengths_0`))
    return raggedStream(leaf, role, steps);
  const values = steps.example.get(leaf.key);
  if (values === undefined || values.count === 0) return null;
  if (values.kind === 'bytes') return packedStream(leaf, role, values, steps);
  const dims = widthOf(leaf, values.count, steps);
  const rows = Math.min(steps.count, Math.floor(values.count / Math.max(1, dims)));
  if (dims > mostDimensions) return opaque(leaf, role, rows, steps);
  const numbers = values.numbers();
  return numeric(leaf, role, { values: numbers.subarray(0, rows * dims), dims }, rows, steps);
}

/** Numbers a step: as declared where that fits what is there, else what is there shared out evenly. */
function widthOf(leaf: Leaf, count: number, { count: steps, path, findings }: Steps): number {
  const declared = leaf.shape.includes(null) ? null : leaf.shape.reduce<number>((a, b) => a * (b ?? 1), 1);
  if (declared !== null && declared * steps === count) return declared;
  const even = steps > 0 && count % steps === 0;
  if (declared === null && even) return count / steps;
  const message = `${leaf.id} holds ${count} numbers, not ${declared ?? '?'} for each of ${steps} steps`;
  const evidence = { feature: leaf.id, found: count, steps };
  findings.push(tfdsBreach('feature_length_wrong', path, message, evidence));
  return even ? count / steps : (declared ?? 1);
}

function numeric(leaf: Leaf, role: StreamRole, series: Series, rows: number, steps: Steps): Stream {
  const declared = leaf.shape.filter((size) => size !== null);
  const fits = declared.length === leaf.shape.length && declared.reduce((a, b) => a * b, 1) === series.dims;
  return {
    ...baseOf(leaf, role, rows, steps),
    modality: 'numeric',
    shape: fits ? declared : [series.dims],
    series,
  };
}

function opaque(leaf: Leaf, role: StreamRole, rows: number, steps: Steps): Stream {
  const shape = leaf.shape.filter((size) => size !== null);
  return { ...baseOf(leaf, role === 'camera' ? role : 'other', rows, steps), modality: 'opaque', shape };
}

function baseOf(
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

/** Rows of the same length are a signal like any other; of different lengths they are only counted. */
function raggedStream(leaf: Leaf, role: StreamRole, steps: Steps): Stream {
  const lengths = steps.example.get(`${leaf.key}/ragged_row_lengths_0`)!.numbers();
  const flat = steps.example.get(`${leaf.key}/ragged_flat_values`);
  const rows = Math.min(steps.count, lengths.length);
  const dims = lengths.length === 0 ? 0 : lengths[0];
  const even = lengths.every((length) => length === dims) && flat?.count === dims * lengths.length;
  if (even && flat !== undefined && flat.kind !== 'bytes' && dims > 0 && dims <= mostDimensions)
    return numeric(leaf, role, { values: flat.numbers().subarray(0, rows * dims), dims }, rows, steps);
  return opaque(leaf, role, rows, steps);
}

/** Tensors stored as their bytes, one entry a step. */
function packedStream(leaf: Leaf, role: StreamRole, values: FeatureValues, steps: Steps): Stream {
  const rows = Math.min(steps.count, values.count);
  const dims = leaf.shape.reduce<number>((a, b) => a * (b ?? 0), 1);
  if (bytesOfType(leaf.dtype) === null || dims === 0 || dims > mostDimensions)
    return opaque(leaf, role, rows, steps);
  const series = decodeTensors(leaf, dims, rows, (row) => tensorBytes(leaf, values.bytes(row), dims));
  if (series !== null) return numeric(leaf, role, series, rows, steps);
  const message = `${leaf.id} is stored as ${leaf.encoding} and does not hold ${dims} numbers of ${leaf.dtype} a step`;
  steps.findings.push(tfdsBreach('tensor_undecodable', steps.path, message));
  return opaque(leaf, role, rows, steps);
}

/** The bytes of one tensor of `dims` numbers; empty where they cannot be unpacked or are not as many. */
function tensorBytes({ encoding, dtype }: Leaf, stored: Uint8Array, dims: number): Uint8Array {
  const wanted = dims * (bytesOfType(dtype) ?? 0);
  if (encoding !== 'zlib') return stored.length === wanted ? stored : new Uint8Array(0);
  try {
    const plain = inflateSync(stored, { maxOutputLength: Math.max(1, wanted) });
    return plain.length === wanted ? plain : new Uint8Array(0);
  } catch {
    return new Uint8Array(0);
  }
}

interface StepClock {
  readonly clock: Clock;
  readonly choice: ClockChoice;
}

/** RLDS keeps neither times nor a rate: there is a clock only where the data set is known to run at one. */
export function clockOfSteps(steps: number, known: KnownDataset | null): StepClock | null {
  const rate = known?.rate ?? null;
  if (rate === null) return null;
  const time_s = new Float64Array(steps);
  for (let step = 0; step < steps; step++) time_s[step] = step / rate.hz;
  const reason = `RLDS keeps no times; step / ${rate.hz} Hz stands in, known of the data set by its name: ${rate.reason}`;
  return {
    clock: { name: `step / ${rate.hz} Hz`, provenance: 'synthesised', time_s },
    choice: { index: 0, reason },
  };
}

interface NumberType {
  readonly bytes: number;
  /** Whether a double is needed to hold every value. */
  readonly wide: boolean;
  read(view: DataView, at: number): number;
}

const types: Readonly<Record<string, NumberType>> = {
  bool: { bytes: 1, wide: false, read: (view, at) => view.getUint8(at) },
  uint8: { bytes: 1, wide: false, read: (view, at) => view.getUint8(at) },
  int8: { bytes: 1, wide: false, read: (view, at) => view.getInt8(at) },
  uint16: { bytes: 2, wide: false, read: (view, at) => view.getUint16(at, true) },
  int16: { bytes: 2, wide: false, read: (view, at) => view.getInt16(at, true) },
  uint32: { bytes: 4, wide: true, read: (view, at) => view.getUint32(at, true) },
  int32: { bytes: 4, wide: true, read: (view, at) => view.getInt32(at, true) },
  int64: { bytes: 8, wide: true, read: (view, at) => Number(view.getBigInt64(at, true)) },
  float32: { bytes: 4, wide: false, read: (view, at) => view.getFloat32(at, true) },
  float64: { bytes: 8, wide: true, read: (view, at) => view.getFloat64(at, true) },
};

/** Bytes of one number of a type; null for a type that is not read. */
function bytesOfType(dtype: string | null): number | null {
  return dtype === null ? null : (types[dtype]?.bytes ?? null);
}

/** Rows of `dims` numbers from the bytes of each; null where a row has not as many bytes as it must. */
function decodeTensors(
  { dtype }: Leaf,
  dims: number,
  rows: number,
  bytesOf: (row: number) => Uint8Array,
): Series | null {
  const type = types[dtype ?? ''];
  if (type === undefined) return null;
  const values = type.wide ? new Float64Array(rows * dims) : new Float32Array(rows * dims);
  for (let row = 0; row < rows; row++) {
    const bytes = bytesOf(row);
    if (bytes.length !== dims * type.bytes) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let d = 0; d < dims; d++) values[row * dims + d] = type.read(view, d * type.bytes);
  }
  return { values, dims };
}
