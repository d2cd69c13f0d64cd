import type { CameraEvidence } from '#core/episode';
import type {
  CameraRequest,
  DecodeRequest,
  Film,
  FilmFacts,
  FilmRequest,
  FrameOutcome,
  FramesRequest,
  MissingParts,
  NoPicture,
  PartsRequest,
  Picture,
} from './media-port.ts';

/** Message from the parent to a child. */
export type ToChild =
  | MediaRequest
  /** Closes the files of the child, because no request may come for a while; it is not answered. */
  | { readonly kind: 'close-files' };

/** Request to a child; requests are answered in order. */
export type MediaRequest =
  | { readonly id: number; readonly kind: 'examine'; readonly request: CameraRequest }
  | { readonly id: number; readonly kind: 'parts'; readonly request: PartsRequest }
  | { readonly id: number; readonly kind: 'frames'; readonly request: FramesRequest }
  | { readonly id: number; readonly kind: 'decode'; readonly request: BatchRequest }
  | { readonly id: number; readonly kind: 'film'; readonly request: FilmRequest }
  | { readonly id: number; readonly kind: 'film-facts'; readonly request: FilmRequest };

/** Request for the next batch of a decode request. A child continues its open stream; a new child starts at `from`. */
export interface BatchRequest extends DecodeRequest {
  /** Number of the decode request, unique in this process. */
  readonly stream: number;
  /** Number of frames already delivered. */
  readonly from: number;
}

/** A batch of decoded frames. */
export interface Batch {
  readonly frames: readonly FrameOutcome[];
  readonly done: boolean;
  /** Reason if nothing of the camera can be decoded, else null. */
  readonly reason: string | null;
}

/** Answer of a child to a request. */
export type MediaAnswer =
  | CameraEvidence
  | MissingParts
  | readonly (Picture | NoPicture)[]
  | Batch
  | FilmAnswer<Film | FilmFacts>;

/** Answer to a film request, or the reason if no frame can be shown. */
export type FilmAnswer<Result> = Result | { readonly unshown: string };

/**
 * Message from a child: `ready` once after its start, then one answer per request. `failed`: the request threw an error
 * and the child lives on; `isMachineFault` is true if the cause is the machine (a file that cannot be opened now, a
 * missing library) and not the file.
 */
export type FromChild =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'answer';
      readonly id: number;
      /** CPU time of the request in ms. */
      readonly cpu_ms: number;
      readonly answer: MediaAnswer;
    }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly cpu_ms: number;
      readonly reason: string;
      readonly isMachineFault: boolean;
    };
