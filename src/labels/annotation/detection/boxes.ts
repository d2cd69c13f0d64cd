import { AssayError, clamp } from '#core';
import type { ModelContract, ModelSession, Tensors } from '#labels/models';
import type { LaneFrame } from '../lane.ts';
import type { Picture } from '../pictures/placement.ts';

/** Left, top, width and height in px. */
export type Box = readonly [left: number, top: number, width: number, height: number];

/** An object in px of the picture as it is stored. */
export interface Detection {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
  readonly box: Box;
}

/** Share of what two boxes cover together that both cover. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const both = width * height;
  return both / (a[2] * a[3] + b[2] * b[3] - both);
}

/** From where two boxes of one class are taken for one object. */
const sameObject = 0.6;

/** What is found inside the frame, in px of the stored picture, the surest first; of boxes on one object the surest. */
export function storedDetections(raw: readonly RawDetection[], frame: LaneFrame): readonly Detection[] {
  const kept: Detection[] = [];
  for (const { label, score, corners } of [...raw].sort((a, b) => b.score - a.score)) {
    const box = storedBox(corners, frame);
    if (!(box[2] > 0 && box[3] > 0)) continue;
    if (kept.some((other) => other.label === label && overlap(other.box, box) > sameObject)) continue;
    kept.push({ label, score, box });
  }
  return kept;
}

function storedBox([x0, y0, x1, y1]: Corners, { width_px, height_px, stored_px }: LaneFrame): Box {
  const [width, height] = stored_px;
  const x = (at: number) => clamp((at * width) / width_px, 0, width);
  const y = (at: number) => clamp((at * height) / height_px, 0, height);
  return [x(x0), y(y0), x(x1) - x(x0), y(y1) - y(y0)];
}

/** Left, top, right and bottom. */
type Corners = readonly [x0: number, y0: number, x1: number, y1: number];

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
