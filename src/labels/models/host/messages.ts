import type { ComputeDevice, OnnxProviderWish, VisionEndpoint } from '#core/api';
import type { GraphShape, ModelContract } from '../contract.ts';
import type { TensorSpec, Tensors } from '../tensor.ts';

/** A model as a lane is given it. */
export interface ModelRef {
  /** Its id in the registry. */
  readonly model: string;
  /** Which of the host's runtimes runs it. */
  readonly runtime: string;
  /** Absolute paths of the files that are loaded, by name of the graph. */
  readonly graphs: Readonly<Record<string, string>>;
  readonly contract?: ModelContract;
  /** Where it is asked, of one that the host does not run. */
  readonly endpoint?: VisionEndpoint;
}

/** A graph as the host finds it. */
export interface GraphRef {
  readonly runtime: string;
  readonly path: string;
  /** Absent: nothing is known of it. */
  readonly shape?: GraphShape;
}

/** What a client sends over the socket. */
export type ToHost =
  | { readonly id: number; readonly kind: 'load'; readonly ref: GraphRef }
  | { readonly id: number; readonly kind: 'run'; readonly ref: GraphRef; readonly inputs: Tensors };

/**
 * What the host answers. `begun`: what ends the host from here on may be this request's fault. `failed`, `here`: the
 * machine is at fault, such as a library that is missing, and not the model.
 */
export type FromHost =
  | { readonly id: number; readonly kind: 'begun' }
  | { readonly id: number; readonly kind: 'loaded'; readonly spec: ModelSpec & ComputedBy }
  | { readonly id: number; readonly kind: 'ran'; readonly outputs: Tensors }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string; readonly here: boolean };

export interface ModelSpec {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
}

/** What a graph is computed by, as it turned out when it was loaded. */
export interface ComputedBy {
  readonly device: ComputeDevice;
  /** What was to compute it and does not, with the reason; null: nothing else was. */
  readonly passed_over: string | null;
}

/** What the process that starts the host tells it. */
export interface Listen {
  readonly kind: 'listen';
  readonly socket: string;
  /** Processor threads for one model. */
  readonly threads: number;
  /** By what ONNX models are to be computed. */
  readonly onnx_provider: OnnxProviderWish;
}

export type FromHostProcess =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly reason: string };

/** What a client asks whoever starts the host, on a channel that all threads of a process share. */
export type Ask =
  | {
      readonly kind: 'host';
      readonly client: string;
      readonly ask: number;
      /** The host whose connection was lost; null: none was there before. */
      readonly lost: number | null;
    }
  /** A request has not been answered for so long. */
  | { readonly kind: 'waiting'; readonly waited_s: number };

export interface Told {
  readonly kind: 'told';
  readonly client: string;
  readonly ask: number;
  /** Counts the hosts of this process. */
  readonly generation: number;
  /** How the lost host ended; null: it did not, or nobody knows. */
  readonly end: HostEnd | null;
  /** Why there is no host; null: there is one. */
  readonly failure: string | null;
}

export interface HostEnd {
  readonly why: string;
  /** Another host may come through. */
  readonly again: boolean;
}
