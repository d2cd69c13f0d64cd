// Written by `npm run generate` from src/core/api. Change it there.
import type {
  CompareEpisodesInput,
  CreateReviewInput,
  GetEpisodeInput,
  GetFrameInput,
  GetPlaybackInput,
  GetPosesInput,
  GetReceiptInput,
  GetStreamInput,
  GetVideoInput,
  ListEpisodesInput,
  ListProjectFindingsInput,
  ListReviewsInput,
  ListStreamsInput,
  MapEpisodesInput,
  Receipt,
  SummariseProjectInput,
  UpdateEpisodeInput,
  WithdrawReviewInput,
} from '../types/episodes-calls.ts';
import type {
  EmbeddingMap,
  Episode,
  EpisodeComparison,
  EpisodePoses,
  EpisodeStream,
  Playback,
  ProjectFinding,
  ProjectSummary,
  Review,
  StreamSamples,
} from '../types/episodes.ts';
import type { EpisodeSummary, Page } from '../types/shared.ts';

export interface EpisodesOperations {
  list_episodes: {
    input: ListEpisodesInput;
    answer: Page<EpisodeSummary>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_episode: {
    input: GetEpisodeInput;
    answer: Episode;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  update_episode: {
    input: UpdateEpisodeInput;
    answer: Episode;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_receipt: {
    input: GetReceiptInput;
    answer: Receipt;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  list_streams: {
    input: ListStreamsInput;
    answer: Page<EpisodeStream>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_stream: {
    input: GetStreamInput;
    answer: StreamSamples;
    error: 'busy' | 'limit_exceeded' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_frame: {
    input: GetFrameInput;
    answer: Response;
    error:
      | 'busy'
      | 'conflict'
      | 'limit_exceeded'
      | 'media_failed'
      | 'not_found'
      | 'not_ready'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unreadable_input';
  };
  get_playback: {
    input: GetPlaybackInput;
    answer: Playback;
    error: 'busy' | 'limit_exceeded' | 'not_found' | 'rate_limited' | 'unauthenticated' | 'unreadable_input';
  };
  get_poses: {
    input: GetPosesInput;
    answer: EpisodePoses;
    error: 'busy' | 'limit_exceeded' | 'not_found' | 'rate_limited' | 'unauthenticated' | 'unreadable_input';
  };
  get_video: {
    input: GetVideoInput;
    answer: Response;
    error:
      | 'budget_exceeded'
      | 'busy'
      | 'conflict'
      | 'limit_exceeded'
      | 'media_failed'
      | 'not_found'
      | 'not_ready'
      | 'range_not_satisfiable'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unreadable_input';
  };
  list_reviews: {
    input: ListReviewsInput;
    answer: Page<Review>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  create_review: {
    input: CreateReviewInput;
    answer: Review;
    error:
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  withdraw_review: {
    input: WithdrawReviewInput;
    answer: Review;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_project_findings: {
    input: ListProjectFindingsInput;
    answer: Page<ProjectFinding>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  summarise_project: {
    input: SummariseProjectInput;
    answer: ProjectSummary;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  map_episodes: {
    input: MapEpisodesInput;
    answer: EmbeddingMap;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  compare_episodes: {
    input: CompareEpisodesInput;
    answer: EpisodeComparison;
    error:
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
