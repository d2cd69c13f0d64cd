export { describeEpisode, type EpisodeVectors, type NoVectors } from './describe-episode.ts';
export type { Span } from './descriptor.ts';
export { descriptors } from './descriptor-registry.ts';
export type { IndexedEpisode, SearchRank, SearchResult } from './indexed-episode.ts';
export { projectVectors } from './project-vectors.ts';
export { searchEpisodes } from './search-episodes.ts';
