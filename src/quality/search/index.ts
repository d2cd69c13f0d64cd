export type { EpisodeVectors, NoVectors } from './describe-episode.ts';
export { describeEpisode } from './describe-episode.ts';
export type { Span } from './descriptor.ts';
export { descriptors } from './descriptor-registry.ts';
export type { IndexedEpisode, SearchRank, SearchResult } from './indexed-episode.ts';
export { searchEpisodes } from './search-episodes.ts';
