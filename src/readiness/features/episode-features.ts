import type { Stream } from '#episode';
import type { StreamFeatures } from './stream-features.ts';

/** Features of an episode's streams, computed when first asked for and kept while the episode is judged. */
export interface EpisodeFeatures {
  of(stream: Stream): StreamFeatures;
}
