import type { Tensors } from '../../tensor.ts';
import type { ComputedBy, GraphRef, ModelSpec } from '../messages.ts';

/** What runs models of one form, inside the host process. */
export interface Runtime {
  /** As `GraphRef.runtime` names it. */
  readonly id: string;
  /** Throws where the file is no model of that form; `threads`: processor threads that it may use. */
  readonly load: (graph: GraphRef, threads: number) => Promise<LoadedModel>;
}

export interface LoadedModel extends ModelSpec, ComputedBy {
  readonly run: (inputs: Tensors) => Promise<Tensors>;
  readonly release: () => Promise<void>;
}
