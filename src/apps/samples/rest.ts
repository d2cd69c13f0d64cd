import type { Random } from '#core';
import type { Series, Stream } from '#core/episode';
import { withValues } from './faults/edit.ts';

/**
 * Returns a copy of the stream that stands still in rows `from` to `to - 1`: at the pose after them if `from` is 0, else at
 * the pose before. Commands repeat exactly; measured states keep their sensor noise.
 */
export function addRest(stream: Stream, from: number, to: number, random: Random): Stream {
  const end = Math.min(to, stream.sample_count);
  const heldIndex = from === 0 ? Math.min(end, stream.sample_count - 1) : from - 1;
  const noise = stream.role === 'state' ? estimateNoise(stream.series as Series) : null;
  return withValues(stream, (values, dims) => {
    const pose = values.slice(heldIndex * dims, (heldIndex + 1) * dims);
    for (let row = from; row < end; row++) {
      for (let d = 0; d < dims; d++)
        values[row * dims + d] = pose[d] + (noise === null ? 0 : noise[d] * random.normal());
    }
  });
}

/** Estimates the noise (standard deviation) of each dimension from the median of |x[i+1] − 2x[i] + x[i−1]|. */
export function estimateNoise({ values, dims }: Series): Float64Array {
  const samples = Math.floor(values.length / dims);
  return Float64Array.from({ length: dims }, (_, d) => {
    const bends: number[] = [];
    for (let i = 1; i + 1 < samples; i++) {
      const at = i * dims + d;
      bends.push(Math.abs(values[at + dims] - 2 * values[at] + values[at - dims]));
    }
    bends.sort((a, b) => a - b);
    return (bends[bends.length >> 1] ?? 0) / (0.6745 * Math.sqrt(6));
  });
}
