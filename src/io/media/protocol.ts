import type { CameraEvidence } from '#core/episode';
import type { Film, FilmFacts, FilmRequest } from './film.ts';
import type {
  CameraRequest,
  DecodeRequest,
  FrameOutcome,
  FramesRequest,
  NoPicture,
  PartsRequest,
  Picture,
  WantedParts,
} from './media-port.ts';

/** A message from the parent. */
export type ToChild =
  | MediaRequest
  /** The child closes its files, since no request may come for a while; it does not answer. */
  | { readonly kind: 'close-files' };

/** A request; a child answers them in the order in which they come. */
export type MediaRequest =
  | { readonly id: number; readonly kind: 'examine'; readonly request: CameraRequest }
  | { readonly id: number; readonly kind: 'parts'; readonly request: PartsRequest }
  | { readonly id: number; readonly kind: 'frames'; readonly request: FramesRequest }
  | { readonly id: number; readonly kind: 'decode'; readonly request: BatchRequest }
  | { readonly id: number; readonly kind: 'film'; readonly request: FilmRequest }
  | { readonly id: number; readonly kind: 'film-facts'; readonly request: FilmRequest };

/** The next frames of a request; a child goes on where it is, and a new one where the one before ended. */
export interface BatchRequest extends DecodeRequest {
  /** Names the request among all of this process. */
  readonly stream: number;
  /** Frames that were answered. */
  readonly from: number;
}

export interface Batch {
  readonly frames: readonly FrameOutcome[];
  readonly done: boolean;
  /** Why nothing of the camera can be decoded; null where something can. */
  readonly reason: string | null;
}

export type Answer =
  | CameraEvidence
  | WantedParts
  | readonly (Picture | NoPicture)[]
  | Batch
  | FilmAnswer<Film | FilmFacts>;

/** The reason where nothing of the camera can be shown. */
export type FilmAnswer<Told> = Told | { readonly unshown: string };

/**
 * What a child sends. `ready` once it can work; `failed` when its own code threw, the child lives on. `here`: what it
 * threw is the machine's (a file that cannot be opened now, a library that is not there) and says nothing of the file.
 */
export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string; readonly here: boolean };
