// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
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

export const episodes = ({ call }: Calls) => ({
  /**
   * List a project’s episodes, filtered and sorted.
   *
   * Separate several values of a filter by commas (`decision=review,reject`) or repeat the parameter; an
   * episode matches if any of them matches. Repeat the parameter for `task` and `robot`, whose values
   * may contain commas. An episode must match all filters. Episodes without a score are sorted as the
   * lowest (last with `-score`, first with `score`) and are excluded by `min_score` and `max_score`.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListEpisodesInput, options?: CallOptions): Promise<Page<EpisodeSummary>> =>
    call('list_episodes', input, options),

  /**
   * Get an episode with its kind, flags, checks, streams and review.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetEpisodeInput, options?: CallOptions): Promise<Episode> =>
    call('get_episode', input, options),

  /**
   * Set an episode’s tags for search and slices.
   *
   * Requires the role `reviewer` or higher.
   */
  update: (input: UpdateEpisodeInput, options?: CallOptions): Promise<Episode> =>
    call('update_episode', input, options),

  /**
   * Get an episode’s receipt, byte for byte.
   *
   * Identical to the receipt that `assay assess` writes for the same recording and settings: canonical
   * JSON (RFC 8785). The `ETag` is `content_hash`, the SHA-256 of the canonical receipt without that
   * field; `assay verify` checks it offline.
   *
   * Requires the role `viewer` or higher.
   */
  getReceipt: (input: GetReceiptInput, options?: CallOptions): Promise<Receipt> =>
    call('get_receipt', input, options),

  /**
   * List an episode’s streams with their clocks and units.
   *
   * Requires the role `viewer` or higher.
   */
  listStreams: (input: ListStreamsInput, options?: CallOptions): Promise<Page<EpisodeStream>> =>
    call('list_streams', input, options),

  /**
   * Get a stream’s values, downsampled to a number of columns.
   *
   * The time window is divided into columns of equal width. Each column holds the minimum and maximum of
   * its samples, so no spike is lost. 32-bit values have nine significant digits.
   *
   * Requires the role `viewer` or higher.
   */
  getStream: (input: GetStreamInput, options?: CallOptions): Promise<StreamSamples> =>
    call('get_stream', input, options),

  /**
   * Get a camera frame at a given time.
   *
   * Read directly from the recording. `X-Frame-Time-S` is the time of the frame in seconds since the
   * start of the episode. Returns 404 if the stream has no frames or the recording is no longer
   * available, 409 if the recording has changed since it was evaluated, and 422 with the decoder’s
   * message if the frame cannot be decoded.
   *
   * Requires the role `viewer` or higher.
   */
  getFrame: (input: GetFrameInput, options?: CallOptions): Promise<Response> =>
    call('get_frame', input, options),

  /**
   * Get the cameras and downsampled signals for an episode player.
   *
   * Each camera describes the video served by `…/videos/{stream_id}`, or the reason why it cannot be
   * played. Signals list actions first, then states and sensors, at most eight streams.
   *
   * Requires the role `viewer` or higher.
   */
  getPlayback: (input: GetPlaybackInput, options?: CallOptions): Promise<Playback> =>
    call('get_playback', input, options),

  /**
   * Get the paths of end effectors, objects, cameras and bases of an episode.
   *
   * Poses are recognised by the names, shapes and units of state, odometry and other streams: dimensions
   * named x, y and z, streams named as a position of something, and transforms and quaternions whose
   * values prove it. Joint angles, velocities, commands and targets are never treated as positions.
   * Poses are returned as recorded: the recording does not state how their coordinate frames relate to
   * each other. At most twelve; empty if the episode has none.
   *
   * Requires the role `viewer` or higher.
   */
  getPoses: (input: GetPosesInput, options?: CallOptions): Promise<EpisodePoses> =>
    call('get_poses', input, options),

  /**
   * Get a camera’s video of an episode as MP4 for browsers.
   *
   * Packets are copied from the recording. Formats that browsers cannot play (HEVC, MPEG-4, image files,
   * image topics) are encoded as H.264, which is charged to the budget and cached. `X-Video-Starts-S` is
   * the episode time of the start of the video, in seconds; `Content-Type` names the codec;
   * `X-Video-Made` is `copied` or `encoded`. Frames before the start that are needed for decoding are
   * hidden by an edit list. Returns 404 if the stream has no frames or the recording is no longer
   * available, 409 if the recording has changed since it was evaluated, and 422 with the decoder’s
   * message if nothing can be decoded.
   *
   * Requires the role `viewer` or higher.
   */
  getVideo: (input: GetVideoInput, options?: CallOptions): Promise<Response> =>
    call('get_video', input, options),

  /**
   * List the reviews of an episode, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  listReviews: (input: ListReviewsInput, options?: CallOptions): Promise<Page<Review>> =>
    call('list_reviews', input, options),

  /**
   * Review an episode.
   *
   * Requires the role `reviewer` or higher.
   */
  createReview: (input: CreateReviewInput, options?: CallOptions): Promise<Review> =>
    call('create_review', input, options),

  /**
   * Withdraw a review, so that the decision before it is in effect again.
   *
   * Without an earlier review, the episode is unreviewed again and the automatic decision applies. The
   * review stays in the list. Withdrawing it twice changes nothing.
   *
   * Requires the role `reviewer` or higher.
   */
  withdrawReview: (input: WithdrawReviewInput, options?: CallOptions): Promise<Review> =>
    call('withdraw_review', input, options),

  /**
   * List dataset findings, most severe first.
   *
   * From the latest finished run of each source.
   *
   * Requires the role `viewer` or higher.
   */
  listProjectFindings: (
    input: ListProjectFindingsInput,
    options?: CallOptions,
  ): Promise<Page<ProjectFinding>> => call('list_project_findings', input, options),

  /**
   * Summarise a project’s episodes as numbers and text.
   *
   * Covers all episodes, or those that match the filters of `list_episodes`. The text is generated from
   * the numbers without a language model.
   *
   * Requires the role `viewer` or higher.
   */
  summariseProject: (input: SummariseProjectInput, options?: CallOptions): Promise<ProjectSummary> =>
    call('summarise_project', input, options),

  /**
   * Map a project’s episodes in 2D by similarity.
   *
   * Projects the vectors of a descriptor to their first two principal components. Only vectors of the
   * most frequent layout are comparable; `not_mapped` counts the other episodes with the reasons. Takes
   * the filters of `list_episodes`.
   *
   * Requires the role `viewer` or higher.
   */
  map: (input: MapEpisodesInput, options?: CallOptions): Promise<EmbeddingMap> =>
    call('map_episodes', input, options),

  /**
   * Compare the episodes of two runs or two slices.
   *
   * Each side uses its own receipts: those of the run, or those at the time the slice was created.
   * Decisions are those of the checks, not of reviewers. Both sides use the same duration bins;
   * `changes` lists episodes in both whose decision differs.
   *
   * Requires the role `viewer` or higher.
   */
  compare: (input: CompareEpisodesInput, options?: CallOptions): Promise<EpisodeComparison> =>
    call('compare_episodes', input, options),
});
