import { inflateSync } from 'node:zlib';
import type { Finding, Series, Stream, StreamRole, UnitOfMeasure } from '#core/episode';
import type { Leaf } from './feature-tree.ts';
import type { StepClock } from './known-clock.ts';
import type { FeatureValues } from './records/example.ts';
import { bytesOfType, decodeTensors } from './records/tensor-bytes.ts';
import { roleOf } from './roles.ts';
import { tfdsBreach } from './rules.ts';

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
export function tensorBytes({ encoding, dtype }: Leaf, stored: Uint8Array, dims: number): Uint8Array {
  const wanted = dims * (bytesOfType(dtype) ?? 0);
  if (encoding !== 'zlib') return stored.length === wanted ? stored : new Uint8Array(0);
  try {
    const plain = inflateSync(stored, { maxOutputLength: Math.max(1, wanted) });
    return plain.length === wanted ? plain : new Uint8Array(0);
  } catch {
    return new Uint8Array(0);
  }
}
