// Written by `npm run generate` from src/contract. Change it there.
import type { LayerId } from './shared.ts';

export interface ListEpisodeAnnotationsInput {
  readonly project_id: string;
  readonly episode_id: string;
}

export interface GetEpisodeAnnotationInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: LayerId;
}

export interface AnnotateEpisodeInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: LayerId;
  readonly force?: boolean | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export interface EditDenseTextInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: 'dense_text';
  readonly text: string;
}

export interface GetAnnotationPartInput {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: LayerId;
  readonly part: string;
}
