import type { Descriptor, DescriptorInput, Span } from './descriptor.ts';
import { descriptors } from './descriptor-registry.ts';

/**
 * Vectors of one descriptor for an episode. Plain data, because they are sent between threads and stored in files.
 */
export interface EpisodeVectors {
  readonly descriptor: string;
  readonly version: number;
  readonly layout: string;
  /** Vector of the whole episode. */
  readonly vector: readonly number[];
  /** Vectors of its parts, in order; empty if it is too short to split. */
  readonly moments: readonly Moment[];
}

interface Moment extends Span {
  readonly vector: readonly number[];
}

/** Reason why a descriptor has no vector for an episode. */
export interface NoVectors {
  readonly descriptor: string;
  readonly version: number;
  readonly reason: string;
}

/** Minimum duration of a moment, and maximum number of moments. */
const minMoment_s = 2;
const maxMoments = 6;

/**
 * Computes, with every registered descriptor, the vectors by which an episode and short spans of it are found as
 * similar; a descriptor without data returns the reason.
 */
export function describeEpisode(episode: DescriptorInput): (EpisodeVectors | NoVectors)[] {
  return descriptors.rows.map((descriptor) => describeBy(descriptor, episode));
}

function describeBy(descriptor: Descriptor, described: DescriptorInput): EpisodeVectors | NoVectors {
  const { id, version } = descriptor;
  const whole = descriptor.describe(described, null);
  if ('reason' in whole) return { descriptor: id, version, reason: whole.reason };
  const moments = splitIntoMoments(described.episode.duration_s).flatMap((span): Moment[] => {
    const part = descriptor.describe(described, span);
    return 'reason' in part ? [] : [{ ...span, vector: part.vector }];
  });
  return { descriptor: id, version, layout: whole.layout, vector: whole.vector, moments };
}

/** Splits an episode into up to 6 equal parts of at least 2 s; returns none if fewer than 2 fit. */
function splitIntoMoments(duration_s: number): Span[] {
  const count = Math.min(maxMoments, Math.floor(duration_s / minMoment_s));
  if (!(count > 1)) return [];
  return Array.from({ length: count }, (_, i) => ({
    from_s: (duration_s * i) / count,
    to_s: (duration_s * (i + 1)) / count,
  }));
}
