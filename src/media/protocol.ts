import type { CameraEvidence } from '#episode';
import type { CameraRequest, FramesRequest, NoPicture, Picture } from './media-port.ts';

/** What the parent sends; answered one by one, in this order. */
export type ToChild =
  | { readonly id: number; readonly kind: 'examine'; readonly request: CameraRequest }
  | { readonly id: number; readonly kind: 'frames'; readonly request: FramesRequest };

export type Answer = CameraEvidence | readonly (Picture | NoPicture)[];

/**
 * What a child sends. `ready` once it can work; `failed` when its own code threw, the child lives on. `here`: what it
 * threw is the machine's (a file that cannot be opened now, a library that is not there) and says nothing of the file.
 */
export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string; readonly here: boolean };

/** When a child ends itself. None of these makes a verdict: they protect the machine. */
export interface ChildLimits {
  /** Resident memory. */
  readonly memory_mb: number;
  /** Processor time used over one request without another packet or picture. */
  readonly cpu_s: number;
  /** Time in which it neither computes nor comes further, counted while it is given a turn now and then. */
  readonly idle_s: number;
}

/** Environment variable by which a child learns its limits, as JSON. */
export const limitsVariable = 'ASSAY_MEDIA_LIMITS';

/** Pipe on which a child's watchdog says that it lives (`.`), a line each time, and last why it ends the child. */
export const watchdogPipe = 4;

/** Why a watchdog ends its child: which limit, then in words. */
export type EndLine = `${'memory' | 'cpu' | 'idle'} ${string}`;
