// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  AnnotateEpisodeInput,
  EditDenseTextInput,
  GetAnnotationPartInput,
  GetEpisodeAnnotationInput,
  GetOverlayInput,
  ListAnnotationEditsInput,
  ListEpisodeAnnotationsInput,
} from '../types/episode-annotations-calls.ts';
import type {
  AnnotationEdit,
  EpisodeAnnotation,
  EpisodeAnnotationSummary,
} from '../types/episode-annotations.ts';
import type { Page } from '../types/shared.ts';

export const episodeAnnotations = ({ call }: Calls) => ({
  /**
   * List the annotation layers of an episode.
   *
   * In catalog order, without content. Get the content of each layer separately.
   *
   * Requires the role `viewer` or higher.
   */
  list: (
    input: ListEpisodeAnnotationsInput,
    options?: CallOptions,
  ): Promise<Page<EpisodeAnnotationSummary>> => call('list_episode_annotations', input, options),

  /**
   * Get an episode’s annotation for a layer, with manual edits.
   *
   * The content is checked against its stored hash. Returns 404 if the episode does not have the layer,
   * with instructions for creating it.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetEpisodeAnnotationInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('get_episode_annotation', input, options),

  /**
   * Run one layer on one episode and return the result.
   *
   * Queues a job for one episode and waits for it. The same checks and budget apply as for other jobs.
   * The job continues if the client disconnects. Returns 413 if the estimate is over 60 seconds; queue a
   * job instead. Returns 503 with the job’s id if it takes over 120 seconds; repeat the request to keep
   * waiting.
   *
   * Requires the role `engineer` or higher.
   */
  annotate: (input: AnnotateEpisodeInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('annotate_episode', input, options),

  /**
   * Edit an episode’s detailed description.
   *
   * The generated text and earlier edits are kept. Episodes without generated text can be given one too.
   * Sending the same text again has no effect. Set `over` to the id of the edit that you are replacing:
   * returns 409 with the newer edit if somebody has edited the text since.
   *
   * Requires the role `reviewer` or higher.
   */
  editDenseText: (input: EditDenseTextInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('edit_dense_text', input, options),

  /**
   * Get one file of a layer’s annotation.
   *
   * The annotation lists its parts with their media types; `artifact` is the main file. The content is
   * checked against its stored hash, which is also the `ETag`.
   *
   * Requires the role `viewer` or higher.
   */
  getPart: (input: GetAnnotationPartInput, options?: CallOptions): Promise<Response> =>
    call('get_annotation_part', input, options),

  /**
   * Get an annotation drawn over its camera frame.
   *
   * Boxes, masks, hands, bodies and tracks are drawn in place, depth and optical flow as colours with a
   * scale, and text in a strip below the frame. `X-Frame-Time-S` is the time of the frame in seconds
   * since the start of the episode. Returns 404 if the episode does not have the layer (with
   * instructions for creating it), if the layer has no output for the camera, or if the recording is no
   * longer available; 422 if the time is outside the episode.
   *
   * Requires the role `viewer` or higher.
   */
  getOverlay: (input: GetOverlayInput, options?: CallOptions): Promise<Response> =>
    call('get_overlay', input, options),

  /**
   * List manual edits of an episode’s layer text, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  listEdits: (input: ListAnnotationEditsInput, options?: CallOptions): Promise<Page<AnnotationEdit>> =>
    call('list_annotation_edits', input, options),
});
