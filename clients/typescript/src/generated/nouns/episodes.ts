// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  CompareEpisodesInput,
  CreateReviewInput,
  GetEpisodeInput,
  GetFrameInput,
  GetPlaybackInput,
  GetReceiptInput,
  GetStreamInput,
  GetVideoInput,
  ListEpisodesInput,
  ListProjectFindingsInput,
  ListReviewsInput,
  ListStreamsInput,
  Receipt,
  SummariseProjectInput,
  UpdateEpisodeInput,
} from '../types/episodes-calls.ts';
import type {
  Episode,
  EpisodeComparison,
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
   * Several values of one filter are alternatives: `decision=review,reject`, or the name repeated. For
   * `task` and `robot`, whose values may hold commas, repeat the name. Different filters must all match.
   * An episode without a score counts as worse than any score: it comes last by `-score`, first by
   * `score`, and passes neither `min_score` nor `max_score`.
   *
   * Needs the role `viewer`.
   */
  list: (input: ListEpisodesInput, options?: CallOptions): Promise<Page<EpisodeSummary>> =>
    call('list_episodes', input, options),

  /**
   * Get one episode with its evidence: kind, flags, checks, streams, review.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetEpisodeInput, options?: CallOptions): Promise<Episode> =>
    call('get_episode', input, options),

  /**
   * Set an episode’s tags, by which searches and slices find it.
   *
   * Needs the role `reviewer`.
   */
  update: (input: UpdateEpisodeInput, options?: CallOptions): Promise<Episode> =>
    call('update_episode', input, options),

  /**
   * Get an episode’s receipt byte for byte as it was sealed.
   *
   * The same bytes that `assay assess` writes for the same recording and settings, canonical by RFC
   * 8785. The entity tag is `content_hash`, the SHA-256 of the canonical receipt without that member;
   * `assay verify` checks it offline.
   *
   * Needs the role `viewer`.
   */
  getReceipt: (input: GetReceiptInput, options?: CallOptions): Promise<Receipt> =>
    call('get_receipt', input, options),

  /**
   * List an episode’s streams with their clocks and units.
   *
   * Needs the role `viewer`.
   */
  listStreams: (input: ListStreamsInput, options?: CallOptions): Promise<Page<EpisodeStream>> =>
    call('list_streams', input, options),

  /**
   * Get the numbers of a stream, in at most so many columns.
   *
   * The window is divided into columns of equal width; each holds the least and the greatest value of
   * its rows, so no spike is lost. 32-bit numbers have nine digits.
   *
   * Needs the role `viewer`.
   */
  getStream: (input: GetStreamInput, options?: CallOptions): Promise<StreamSamples> =>
    call('get_stream', input, options),

  /**
   * Get the frame that a camera shows at a time.
   *
   * Read from the recording where it lies. `X-Frame-Time-S` is when the frame was taken, in seconds
   * since the start of the episode; it changes at the next frame only. 404 where the stream has no
   * pictures or the recording is gone, 409 where it is not the one that was judged, 422 with the
   * decoder’s reason where the frame does not decode.
   *
   * Needs the role `viewer`.
   */
  getFrame: (input: GetFrameInput, options?: CallOptions): Promise<Response> =>
    call('get_frame', input, options),

  /**
   * Get what a player shows of an episode: cameras, and signals in columns.
   *
   * Cameras say what `…/videos/{stream_id}` gives; one that cannot be shown says why. Signals are
   * actions first, then states and sensors, at most eight streams.
   *
   * Needs the role `viewer`.
   */
  getPlayback: (input: GetPlaybackInput, options?: CallOptions): Promise<Playback> =>
    call('get_playback', input, options),

  /**
   * Get a camera’s video of an episode, or of part of it, as MP4 for browsers.
   *
   * Copied packet by packet from the recording where it lies; what browsers do not play (HEVC, MPEG-4,
   * pictures, topics) is coded as H.264, charged to the budget and kept for the next request. Its time 0
   * is `X-Video-Starts-S`, seconds since the start of the episode; `Content-Type` names the codec;
   * `X-Video-Made` is `copied` or `encoded`. Frames before 0, which only help to decode the first, are
   * hidden by an edit list. 404 where the stream has no pictures or the recording is gone, 409 where it
   * is not the one that was judged, 422 with the decoder’s reason where nothing decodes.
   *
   * Needs the role `viewer`.
   */
  getVideo: (input: GetVideoInput, options?: CallOptions): Promise<Response> =>
    call('get_video', input, options),

  /**
   * List people’s decisions on an episode, newest first.
   *
   * Needs the role `viewer`.
   */
  listReviews: (input: ListReviewsInput, options?: CallOptions): Promise<Page<Review>> =>
    call('list_reviews', input, options),

  /**
   * Decide on an episode; the newest decision counts, beside the machine’s.
   *
   * Needs the role `reviewer`.
   */
  createReview: (input: CreateReviewInput, options?: CallOptions): Promise<Review> =>
    call('create_review', input, options),

  /**
   * List findings on the recordings as a whole, worst first.
   *
   * From the newest finished run of each source.
   *
   * Needs the role `viewer`.
   */
  listProjectFindings: (
    input: ListProjectFindingsInput,
    options?: CallOptions,
  ): Promise<Page<ProjectFinding>> => call('list_project_findings', input, options),

  /**
   * Summarise a project’s episodes, as facts and in words.
   *
   * Covers all episodes, or those that pass the filters of `list_episodes`. The same facts make the same
   * text; no model is used.
   *
   * Needs the role `viewer`.
   */
  summariseProject: (input: SummariseProjectInput, options?: CallOptions): Promise<ProjectSummary> =>
    call('summarise_project', input, options),

  /**
   * Compare what two runs judged, or what two slices hold.
   *
   * Each side is counted as its receipts judged it then: an earlier run as it was, a slice as when it
   * was made. Decisions are those of the checks. Both sides share their bins of durations; `changes` are
   * episodes of both that were judged otherwise.
   *
   * Needs the role `viewer`.
   */
  compare: (input: CompareEpisodesInput, options?: CallOptions): Promise<EpisodeComparison> =>
    call('compare_episodes', input, options),
});
