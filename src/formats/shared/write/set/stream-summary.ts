import { type Episode, type Stream, timesOf } from '#core/episode';

/** Summary of one stream of one episode for planning; small, so that it can be kept for all episodes. */
export interface StreamSummary {
  readonly id: string;
  readonly role: Stream['role'];
  readonly modality: Stream['modality'];
  /** Numbers per sample; 0 for non-numeric streams. */
  readonly dims: number;
  readonly names: readonly string[] | null;
  readonly unit: string;
  readonly type: 'float32' | 'float64';
  readonly samples: number;
  /** Median step of its clock in seconds; `null` without a clock or with fewer than two samples. */
  readonly period_s: number | null;
  readonly first_s: number | null;
  readonly last_s: number | null;
  readonly event_driven: string | null;
  readonly declared_rate_hz: number | null;
  /** Reason why its pictures are missing; `null` if they exist or it is no camera. */
  readonly missing: string | null;
}

/** Returns role, dimensions, unit, sample count, median step and time range of each stream, without its values. */
export function summariseEpisode({ streams }: Episode): StreamSummary[] {
  return streams.map((stream) => {
    const { id, role, modality, series, names, unit, sample_count, frames } = stream;
    const times_s = timesOf(stream);
    return {
      ...{ id, role, modality, names },
      dims: series?.dims ?? 0,
      unit: unit.unit,
      type: series?.values instanceof Float64Array ? 'float64' : 'float32',
      samples: sample_count,
      period_s: times_s === null ? null : medianStep(times_s),
      first_s: times_s?.[0] ?? null,
      last_s: times_s?.at(-1) ?? null,
      event_driven: stream.event_driven ?? null,
      declared_rate_hz: stream.declared_rate_hz,
      missing: frames?.locator.type === 'missing' ? frames.locator.reason : null,
    };
  });
}

/** Returns the median positive step between successive timestamps in seconds; `null` if there is none. */
export function medianStep(times_s: Float64Array): number | null {
  const steps = new Float64Array(Math.max(0, times_s.length - 1));
  let count = 0;
  for (let i = 1; i < times_s.length; i++) {
    const step = times_s[i] - times_s[i - 1];
    if (step > 0 && Number.isFinite(step)) steps[count++] = step;
  }
  return count === 0 ? null : steps.subarray(0, count).sort()[count >> 1];
}
