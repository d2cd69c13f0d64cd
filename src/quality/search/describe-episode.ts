import type { Described, Descriptor, Span } from './descriptor.ts';
import { descriptors } from './descriptor-registry.ts';

/** What one descriptor made of an episode. Plain data: it crosses threads and lies in files. */
export interface EpisodeVectors {
  readonly descriptor: string;
  readonly version: number;
  readonly layout: string;
  /** Of the whole episode. */
  readonly vector: readonly number[];
  /** Of parts of it, in order; none where it is too short to be parted. */
  readonly moments: readonly Moment[];
}

interface Moment extends Span {
  readonly vector: readonly number[];
}

/** A descriptor that made nothing of an episode, and why. */
export interface NoVectors {
  readonly descriptor: string;
  readonly version: number;
  readonly reason: string;
}

/** A moment is no shorter than this, and there are no more of them. */
const shortestMoment_s = 2;
const mostMoments = 6;

/** All that the registered descriptors make of an episode and its moments. */
export function describeEpisode(episode: Described): (EpisodeVectors | NoVectors)[] {
  return descriptors.rows.map((descriptor) => describeBy(descriptor, episode));
}

function describeBy(descriptor: Descriptor, described: Described): EpisodeVectors | NoVectors {
  const { id, version } = descriptor;
  const whole = descriptor.describe(described, null);
  if ('reason' in whole) return { descriptor: id, version, reason: whole.reason };
  const moments = momentsOf(described.episode.duration_s).flatMap((span): Moment[] => {
    const part = descriptor.describe(described, span);
    return 'reason' in part ? [] : [{ ...span, vector: part.vector }];
  });
  return { descriptor: id, version, layout: whole.layout, vector: whole.vector, moments };
}

/** Equal parts of an episode, none shorter than two seconds. */
function momentsOf(duration_s: number): Span[] {
  const count = Math.min(mostMoments, Math.floor(duration_s / shortestMoment_s));
  if (!(count > 1)) return [];
  return Array.from({ length: count }, (_, i) => ({
    from_s: (duration_s * i) / count,
    to_s: (duration_s * (i + 1)) / count,
  }));
}
