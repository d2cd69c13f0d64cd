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
   * In the order of the catalog, without their content: get that layer by layer.
   *
   * Needs the role `viewer`.
   */
  list: (
    input: ListEpisodeAnnotationsInput,
    options?: CallOptions,
  ): Promise<Page<EpisodeAnnotationSummary>> => call('list_episode_annotations', input, options),

  /**
   * Get a layer’s annotation of an episode, with a person’s edit beside it.
   *
   * The bytes are checked against their stored hash. If the episode does not carry the layer, the error
   * says how to make it.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetEpisodeAnnotationInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('get_episode_annotation', input, options),

  /**
   * Run one layer on one episode and return the result.
   *
   * Queues a job of one episode and waits for it, under the same guards and the same budget as any job.
   * The job continues if the client disconnects. Work estimated at more than 60 seconds is refused with
   * the advice to queue it. After 120 seconds the answer is 503 with the job’s id; the same request
   * waits for that job again until it ends.
   *
   * Needs the role `engineer`.
   */
  annotate: (input: AnnotateEpisodeInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('annotate_episode', input, options),

  /**
   * Replace the machine’s text by a person’s.
   *
   * The machine’s text and earlier edits are kept. An episode without a machine’s text can be given one
   * too. Sending the same text again changes nothing. With `over` nothing is written over what was not
   * read: if somebody has written since, the answer is 409 and names that edit.
   *
   * Needs the role `reviewer`.
   */
  editDenseText: (input: EditDenseTextInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('edit_dense_text', input, options),

  /**
   * Get one part of a layer’s annotation, as it was written.
   *
   * The annotation lists its parts with their media types; `artifact` is the artifact itself. The bytes
   * are checked against their stored hash, which is also the ETag.
   *
   * Needs the role `viewer`.
   */
  getPart: (input: GetAnnotationPartInput, options?: CallOptions): Promise<Response> =>
    call('get_annotation_part', input, options),

  /**
   * Get what a layer says of an episode, drawn over the picture it says it of.
   *
   * Boxes, masks, hands, bodies and tracks stand where they were found, depth and flow are colours with
   * a scale, and texts a strip below. `X-Frame-Time-S` is when the picture was taken, in seconds since
   * the start of the episode. 404 where the episode does not carry the layer, with how to make it, where
   * the layer says nothing of the camera, or where the recording is gone; 422 for a time outside the
   * episode.
   *
   * Needs the role `viewer`.
   */
  getOverlay: (input: GetOverlayInput, options?: CallOptions): Promise<Response> =>
    call('get_overlay', input, options),

  /**
   * List what people wrote over a layer’s text of an episode, newest first.
   *
   * Needs the role `viewer`.
   */
  listEdits: (input: ListAnnotationEditsInput, options?: CallOptions): Promise<Page<AnnotationEdit>> =>
    call('list_annotation_edits', input, options),
});
