export type { EpisodeVectors, NoVectors } from './describe-episode.ts';
export { describeEpisode } from './describe-episode.ts';
export { descriptors } from './descriptor-registry.ts';
export {
  type IndexedEpisode,
  type Ranked,
  type SearchRank,
  type SearchResult,
  searchEpisodes,
} from './search-episodes.ts';
