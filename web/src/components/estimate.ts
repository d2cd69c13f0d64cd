import type { ComputeEstimate } from '#client';
import { duration, plural } from './words.ts';

/** Describes an estimate: compute time, range, and the measurements that it rests on. */
export function estimateInWords({
  compute_s,
  low_s,
  high_s,
  samples,
}: Pick<ComputeEstimate, 'compute_s' | 'low_s' | 'high_s' | 'samples'>): string {
  const basis = samples === 0 ? 'not measured here yet' : `from ${plural(samples, 'measurement')}`;
  return `${duration(compute_s)} of compute time (${duration(low_s)} to ${duration(high_s)}, ${basis})`;
}
