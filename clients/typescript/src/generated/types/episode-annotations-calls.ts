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
  /** Seconds since the start of the episode. Shows the last annotated frame at or before this time. */
  readonly t?: number | undefined;
  /** Id of the camera stream. Defaults to the first camera with annotations of this layer. */
  readonly camera?: string | undefined;
  /** Width of the image in pixels. Smaller frames are enlarged. */
  readonly width_px?: number | undefined;
}

export interface ListAnnotationEditsInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: JobLayerId;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
