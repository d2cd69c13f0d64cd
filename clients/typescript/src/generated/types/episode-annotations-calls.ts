// Written by `npm run generate` from src/core/api. Change it there.
import type { JobLayerId, LayerId } from './shared.ts';

export interface ListEpisodeAnnotationsInput {
  readonly project_id: string;
  readonly episode_id: string;
}

export interface GetEpisodeAnnotationInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: JobLayerId;
}

export interface AnnotateEpisodeInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: JobLayerId;
  readonly force?: boolean | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export interface EditDenseTextInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: 'dense_text';
  readonly text: string;
  readonly over?: string | null | undefined;
}

export interface GetAnnotationPartInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: JobLayerId;
  readonly part: string;
}

export interface GetOverlayInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: LayerId;
  /**
   * seconds since the start of the episode: the last picture at or before that the layer says something
   * of is shown
   */
  readonly t?: number | undefined;
  /** id of the stream; absent: the first camera that the layer says something of */
  readonly camera?: string | undefined;
  /** width of the picture; smaller pictures are enlarged to it */
  readonly width_px?: number | undefined;
}

export interface ListAnnotationEditsInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: JobLayerId;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
