import type { Finding } from '#core/episode';
import type { SegmentArrays } from './arrays.ts';
import type { Segment } from './segment-files.ts';

/** A signal of processed_log as it is on disk. */
export interface RawSignal {
  /** `CAN/speed`. */
  readonly id: string;
  /** Seconds since the device started. */
  readonly boot_s: Float64Array;
  /** null: rows that are only counted. */
  readonly values: Float64Array | null;
  /** Numbers a row. */
  readonly dims: number;
  /** The array of times. */
  readonly path: string;
}

const signalOf = /(?:^|\/)processed_log\/((?:CAN|IMU|GNSS)\/[^/]+)\/[^/]+$/;

/** Reads every signal of a segment, in the order of their names. */
export async function readSignals(segment: Segment, arrays: SegmentArrays): Promise<RawSignal[]> {
  const ids = new Set(segment.files.flatMap(({ path }) => signalOf.exec(path)?.[1] ?? []));
  const signals: RawSignal[] = [];
  for (const id of [...ids].sort()) {
    const signal = await readSignal(id, arrays);
    if (signal !== null) signals.push(signal);
  }
  return signals;
}

async function readSignal(id: string, arrays: SegmentArrays): Promise<RawSignal | null> {
  const times = await arrays.numbers(`processed_log/${id}/t`);
  const path = arrays.place(`processed_log/${id}/t`);
  const counted = arrays.place(`processed_log/${id}/value`) === null;
  if (times === null || path === null) {
    if (path === null) arrays.report(halfFinding(id, 't', arrays));
    return null;
  }
  if (counted) return readCounted(id, path, times.values, arrays);
  const value = await arrays.numbers(`processed_log/${id}/value`);
  if (value === null) return null;
  const rows = value.shape[0] ?? 1;
  const samples = Math.min(rows, times.values.length);
  if (rows !== times.values.length) arrays.report(lengthFinding(id, path, times.values.length, rows));
  const dims = rows === 0 ? 1 : value.values.length / rows;
  return {
    id,
    path,
    dims,
    boot_s: times.values.subarray(0, samples),
    values: value.values.subarray(0, samples * dims),
  };
}

/** raw_can: bus, address and eight bytes a row, which are only counted. */
async function readCounted(
  id: string,
  path: string,
  boot_s: Float64Array,
  arrays: SegmentArrays,
): Promise<RawSignal | null> {
  const parts = ['src', 'address', 'data'].filter((part) => arrays.place(`processed_log/${id}/${part}`));
  if (parts.length === 0) {
    arrays.report(halfFinding(id, 'value', arrays));
    return null;
  }
  for (const part of parts) {
    const rows = await arrays.rows(`processed_log/${id}/${part}`);
    if (rows !== null && rows !== boot_s.length)
      arrays.report(lengthFinding(`${id}/${part}`, path, boot_s.length, rows));
  }
  return { id, path, dims: 0, boot_s, values: null };
}

function halfFinding(id: string, lacking: string, arrays: SegmentArrays): Finding {
  const there = arrays.place(`processed_log/${id}/${lacking === 't' ? 'value' : 't'}`);
  return {
    code: 'signal_incomplete',
    severity: 'error',
    path: there,
    message: `${id} has no array ${lacking}, so it is left out`,
    advice: 'copy the whole folder of the signal again',
  };
}

function lengthFinding(id: string, path: string, times: number, rows: number): Finding {
  return {
    code: 'signal_lengths_differ',
    severity: 'error',
    path,
    message: `${id} has ${times} times and ${rows} values; the first ${Math.min(times, rows)} of both are read`,
    advice: 'copy the segment again; which of them are lost cannot be told',
    evidence: { times, values: rows },
  };
}
