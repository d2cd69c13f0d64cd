// Written by `npm run generate` from src/contract. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  AnnotateEpisodeInput,
  EditDenseTextInput,
  GetAnnotationPartInput,
  GetEpisodeAnnotationInput,
  ListEpisodeAnnotationsInput,
} from '../types/episode-annotations-calls.ts';
import type { EpisodeAnnotation, EpisodeAnnotationSummary } from '../types/episode-annotations.ts';
import type { Page } from '../types/shared.ts';

export const episodeAnnotations = ({ call }: Calls) => ({
  /**
   * Lists the layers that an episode carries.
   *
   * In the order of the catalog, without what they say: that is read layer by layer.
   *
   * Needs the role `viewer`.
   */
  list: (
    input: ListEpisodeAnnotationsInput,
    options?: CallOptions,
  ): Promise<Page<EpisodeAnnotationSummary>> => call('list_episode_annotations', input, options),

  /**
   * Gets what a layer says of an episode, and beside it what a person wrote over it.
   *
   * Its bytes are held against the hash they were stored with. Where the episode does not carry the
   * layer, the answer tells how to get it.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetEpisodeAnnotationInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('get_episode_annotation', input, options),

  /**
   * Runs one layer on one episode and answers what came out.
   *
   * A job of one episode that is waited for: the same guards hold, it is paid for alike, and it goes on
   * where nobody waits any more. What would take more than 60 seconds is refused with the advice to
   * queue it. After 120 seconds of waiting the answer is 503 with the job’s id; the same request waits
   * for the same job again, as long as that has not ended.
   *
   * Needs the role `engineer`.
   */
  annotate: (input: AnnotateEpisodeInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('annotate_episode', input, options),

  /**
   * Writes a person’s text in place of the machine’s.
   *
   * The machine’s text stays beside it, and so do earlier edits. An episode that carries no machine’s
   * text can be given one as well. The same text again changes nothing.
   *
   * Needs the role `reviewer`.
   */
  editDenseText: (input: EditDenseTextInput, options?: CallOptions): Promise<EpisodeAnnotation> =>
    call('edit_dense_text', input, options),

  /**
   * Gets one part of what a layer says of an episode, as it was written.
   *
   * The annotation lists its parts with their media types; `artifact` is the artifact itself. The bytes
   * are held against the hash they were stored with, which is also their ETag.
   *
   * Needs the role `viewer`.
   */
  getPart: (input: GetAnnotationPartInput, options?: CallOptions): Promise<Response> =>
    call('get_annotation_part', input, options),
});
