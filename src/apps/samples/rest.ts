import type { Random } from '#core';
import type { Series, Stream } from '#core/episode';
import { withValues } from './faults/edit.ts';

/**
 * The stream at rest in rows `from..to-1`: where its motion goes on after them if that is at their start, else where it
 * came from. A command repeats exactly; a measured value keeps the noise of its sensor.
 */
export function rested(stream: Stream, from: number, to: number, random: Random): Stream {
  const end = Math.min(to, stream.sample_count);
  const held = from === 0 ? Math.min(end, stream.sample_count - 1) : from - 1;
  const noise = stream.role === 'state' ? noiseOf(stream.series as Series) : null;
  return withValues(stream, (values, dims) => {
    const pose = values.slice(held * dims, (held + 1) * dims);
    for (let row = from; row < end; row++) {
      for (let d = 0; d < dims; d++)
        values[row * dims + d] = pose[d] + (noise === null ? 0 : noise[d] * random.normal());
    }
  });
}

/** Standard deviation of each dimension's noise, from the median of |x[i+1] − 2x[i] + x[i−1]|. */
export function noiseOf({ values, dims }: Series): Float64Array {
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
