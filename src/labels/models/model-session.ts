import type { ModelContract } from './contract.ts';
import type { ComputedBy } from './host/messages.ts';
import type { TensorSpec, Tensors } from './tensor.ts';

/** A loaded graph of a model. */
export interface ModelSession extends ComputedBy {
  /** Its id in the registry. */
  readonly model: string;
  /** That it was held against; null: none is known. */
  readonly contract: ModelContract | null;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  /**
   * Throws `unfinished` where the host process ended over it, `invalid_request` with the runtime's words where the model
   * does not take the inputs.
   */
  run(inputs: Tensors): Promise<Tensors>;
}
