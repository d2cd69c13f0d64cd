// Written by `npm run generate` from src/core/api. Change it there.
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

export interface EpisodeAnnotationsOperations {
  list_episode_annotations: {
    input: ListEpisodeAnnotationsInput;
    answer: Page<EpisodeAnnotationSummary>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_episode_annotation: {
    input: GetEpisodeAnnotationInput;
    answer: EpisodeAnnotation;
    error: 'hash_mismatch' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  annotate_episode: {
    input: AnnotateEpisodeInput;
    answer: EpisodeAnnotation;
    error:
      | 'already_produced'
      | 'budget_exceeded'
      | 'busy'
      | 'conflict'
      | 'endpoint_failed'
      | 'endpoint_unavailable'
      | 'forbidden'
      | 'hash_mismatch'
      | 'idempotency_conflict'
      | 'layer_inapplicable'
      | 'layer_not_servable'
      | 'layer_off'
      | 'layer_unavailable'
      | 'limit_exceeded'
      | 'media_failed'
      | 'not_found'
      | 'not_permitted'
      | 'payload_too_large'
      | 'rate_limited'
      | 'too_long_to_wait'
      | 'unauthenticated'
      | 'unreadable_input'
      | 'unsupported_media_type'
      | 'unsupported_version';
  };
  edit_dense_text: {
    input: EditDenseTextInput;
    answer: EpisodeAnnotation;
    error:
      | 'conflict'
      | 'forbidden'
      | 'hash_mismatch'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_annotation_part: {
    input: GetAnnotationPartInput;
    answer: Response;
    error: 'hash_mismatch' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_overlay: {
    input: GetOverlayInput;
    answer: Response;
    error:
      | 'busy'
      | 'conflict'
      | 'hash_mismatch'
      | 'limit_exceeded'
      | 'media_failed'
      | 'not_found'
      | 'not_ready'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unreadable_input';
  };
  list_annotation_edits: {
    input: ListAnnotationEditsInput;
    answer: Page<AnnotationEdit>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
}
