import { AssayError } from '#core';
import type { ModelContract, ModelSession, Tensors } from '#labels/models';
import type { Picture } from '../pictures/placement.ts';

/** Left, top, right and bottom. */
export type Corners = readonly [x0: number, y0: number, x1: number, y1: number];

/** An object that a model names, in px of the picture that it was shown. */
export interface RawDetection {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
  readonly corners: Corners;
}

/** How models of one form are asked, and what their numbers mean. */
export interface DetectorForm {
  /** Names of the classes that it can find. */
  readonly classes: readonly string[];
  /** All objects from `floor` on. */
  readonly detect: (
    session: ModelSession,
    contract: ModelContract,
    picture: Picture,
    floor: number,
  ) => Promise<readonly RawDetection[]>;
}

/** Numbers that a model gave under a name. Throws `layer_unavailable` where it did not. */
export function floatsOf({ model }: ModelSession, outputs: Tensors, name: string): Float32Array {
  const tensor = outputs[name];
  if (tensor?.type === 'float32') return tensor.data;
  throw new AssayError('layer_unavailable', `the model ${model} gave no floats called ${name}`, {
    advice: `assay models verify ${model}, or choose another model`,
  });
}
