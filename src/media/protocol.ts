import type { CameraEvidence } from '#episode';
import type { CameraRequest, FramesRequest, NoPicture, Picture } from './media-port.ts';

/** What the parent sends; answered one by one, in this order. */
export type ToChild =
  | { readonly id: number; readonly kind: 'examine'; readonly request: CameraRequest }
  | { readonly id: number; readonly kind: 'frames'; readonly request: FramesRequest };

export type Answer = CameraEvidence | readonly (Picture | NoPicture)[];

/** What a child sends. `ready` once it can work; `failed` when its own code threw, the child lives on. */
export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };

/** Environment variable by which a child learns its memory limit in MB. */
export const memoryLimitVariable = 'ASSAY_MEDIA_MEMORY_LIMIT_MB';
