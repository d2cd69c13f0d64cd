import type { Stream } from '#episode';
import { seededRandom, significant } from '#kernel';
import type { EpisodeFeatures } from './features/episode-features.ts';

const projections = 6;
const times = 16;

/**
 * Six numbers that two recordings of the same motion share: random ±1 sums over all dimensions at sixteen times, after
 * the length in samples; and a 53-bit digest of moments, extremes and these sums, equal only for equal numbers.
 */
export function signatureOf(
  streams: readonly Stream[],
  features: EpisodeFeatures,
): { readonly exact: number; readonly signature: readonly number[] } {
  const sums = new Array<number>(projections).fill(0);
  let columns = 0;
  restart();
  for (const stream of streams) {
    const own = features.of(stream);
    project(stream, own.mean, columns, sums);
    columns += own.dims;
    absorb(own.samples);
    for (let d = 0; d < own.dims; d++) {
      absorb(own.mean[d]);
      absorb(own.std[d]);
      absorb(own.minimum[d]);
      absorb(own.maximum[d]);
      absorb(own.columns.step_mean[d]);
    }
  }
  for (let k = 0; k < projections; k++) absorb(sums[k]);
  return { exact: digest(), signature: [streams[0].sample_count, ...sums.map((sum) => significant(sum))] };
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
let high = 0;
let low = 0;

function restart(): void {
  high = 0x9e3779b9;
  low = 0x85ebca6b;
}

/** Mixes a double's bits into the digest (the finaliser steps of MurmurHash3). */
function absorb(value: number): void {
  double[0] = value;
  high = Math.imul(high ^ words[0], 0x85ebca6b);
  high = Math.imul(high ^ (high >>> 13) ^ words[1], 0xc2b2ae35);
  low = Math.imul(low ^ words[1] ^ (low >>> 15), 0x27d4eb2f);
  low = Math.imul(low ^ (low >>> 16) ^ words[0], 0x165667b1);
}

function digest(): number {
  const mixedHigh = (high ^ (high >>> 16)) >>> 0;
  const mixedLow = (low ^ (low >>> 15)) >>> 0;
  return (mixedHigh & 0x1fffff) * 4294967296 + mixedLow;
}

function project(stream: Stream, mean: Float64Array, firstColumn: number, sums: number[]): void {
  const { values, dims } = stream.series!;
  const samples = Math.floor(values.length / dims);
  const signs = signTable(firstColumn + dims);
  for (let t = 0; t < times; t++) {
    const row = Math.floor(((samples - 1) * t) / (times - 1)) * dims;
    for (let d = 0; d < dims; d++) {
      const raw = values[row + d];
      const value = raw - raw === 0 ? raw : mean[d];
      const base = ((firstColumn + d) * times + t) * projections;
      for (let k = 0; k < projections; k++) sums[k] += signs[base + k] * value;
    }
  }
}

let table = new Int8Array(0);

/** ±1 for every column, time and projection; the same in every process. */
function signTable(columns: number): Int8Array {
  const size = columns * times * projections;
  if (table.length >= size) return table;
  const random = seededRandom(8785);
  table = new Int8Array(Math.max(size, 64 * times * projections));
  for (let i = 0; i < table.length; i++) table[i] = random.next() < 0.5 ? -1 : 1;
  return table;
}
