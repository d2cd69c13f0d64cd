import { AssayError, clamp } from '#core';
import type { ModelSession, PictureContract, Tensors } from '#labels/models';
import type { LayerConfig } from '../knob.ts';
import type { LaneContext, LaneFrame } from '../lane.ts';
import { inputSide, type Picture, pictureTensor, placeStretched, toPicture } from './picture-tensor.ts';

/** The 80 COCO class names, in COCO order. */
const cocoClasses: readonly string[] = [
  'person',
  'bicycle',
  'car',
  'motorcycle',
  'airplane',
  'bus',
  'train',
  'truck',
  'boat',
  'traffic light',
  'fire hydrant',
  'stop sign',
  'parking meter',
  'bench',
  'bird',
  'cat',
  'dog',
  'horse',
  'sheep',
  'cow',
  'elephant',
  'bear',
  'zebra',
  'giraffe',
  'backpack',
  'umbrella',
  'handbag',
  'tie',
  'suitcase',
  'frisbee',
  'skis',
  'snowboard',
  'sports ball',
  'kite',
  'baseball bat',
  'baseball glove',
  'skateboard',
  'surfboard',
  'tennis racket',
  'bottle',
  'wine glass',
  'cup',
  'fork',
  'knife',
  'spoon',
  'bowl',
  'banana',
  'apple',
  'sandwich',
  'orange',
  'broccoli',
  'carrot',
  'hot dog',
  'pizza',
  'donut',
  'cake',
  'chair',
  'couch',
  'potted plant',
  'bed',
  'dining table',
  'toilet',
  'tv',
  'laptop',
  'mouse',
  'remote',
  'keyboard',
  'cell phone',
  'microwave',
  'oven',
  'toaster',
  'sink',
  'refrigerator',
  'book',
  'clock',
  'vase',
  'scissors',
  'teddy bear',
  'hair drier',
  'toothbrush',
];

/** COCO category ids between 1 and 90 that COCO does not use. */
const unusedCategoryIds: ReadonlySet<number> = new Set([12, 26, 29, 30, 45, 66, 68, 69, 71, 83]);

/** Class name by COCO category id, 0 to 90; `null` for unused ids. */
const cocoNameByCategoryId: readonly (string | null)[] = (() => {
  const names = cocoClasses.values();
  return Array.from({ length: 91 }, (_, id) =>
    id === 0 || unusedCategoryIds.has(id) ? null : names.next().value!,
  );
})();

/**
 * Adapter for DETR models with sigmoid class scores (RT-DETR, D-FINE, RF-DETR). Each query has one logit per class
 * (80 classes in COCO order, or 91 indexed by COCO category id) and a box as centre and size in fractions of the
 * picture.
 */
const detr: DetectorAdapter = {
  classes: cocoClasses,
  detect: async (session, contract, picture, minScore) => {
    const placement = placeStretched(picture, inputSide(session, contract));
    const { side_px } = placement;
    const pixels = pictureTensor(picture, placement, contract, { layout: 'planes' });
    const outputs = await session.run({ pixel_values: pixels });
    const logits = requireFloatOutput(session, outputs, 'logits');
    const boxes = requireFloatOutput(session, outputs, 'pred_boxes');
    const queries = boxes.length / 4;
    const width = logits.length / queries;
    const names = width === cocoNameByCategoryId.length ? cocoNameByCategoryId : cocoClasses;
    const found: RawDetection[] = [];
    for (let query = 0; query < queries; query++) {
      const best = bestClass(logits.subarray(query * width, (query + 1) * width), names);
      if (best === null || !(best.score >= minScore)) continue;
      const [x, y, w, h] = boxes.subarray(4 * query, 4 * query + 4).map((share) => share * side_px);
      const corners = [
        ...toPicture(placement, [x - w / 2, y - h / 2]),
        ...toPicture(placement, [x + w / 2, y + h / 2]),
      ] as const;
      found.push({ ...best, corners });
    }
    return found;
  },
};

/** Returns the best-scoring class of a query with its sigmoid score; `null` if no class is named. */
function bestClass(
  logits: Float32Array,
  names: readonly (string | null)[],
): Pick<RawDetection, 'label' | 'score'> | null {
  let best = -1;
  for (const [at, name] of names.entries())
    if (name !== null && logits[at] > (best < 0 ? Number.NEGATIVE_INFINITY : logits[best])) best = at;
  const label = best < 0 ? null : names[best];
  return label === null ? null : { label, score: 1 / (1 + Math.exp(-logits[best])) };
}

/**
 * Adapter for CenterNet: output rows of left, top, right, bottom, score and class index, in px of the model's square
 * input.
 */
const centernet: DetectorAdapter = {
  classes: cocoClasses,
  detect: async (session, contract, picture, minScore) => {
    const placement = placeStretched(picture, inputSide(session, contract));
    const pixels = pictureTensor(picture, placement, contract, { layout: 'rows' });
    const outputs = await session.run({ 'tower_0/images': pixels });
    const rows = requireFloatOutput(session, outputs, 'tower_0/detections');
    const found: RawDetection[] = [];
    for (let at = 0; at + 6 <= rows.length; at += 6) {
      const [x0, y0, x1, y1, score, type] = rows.subarray(at, at + 6);
      const label = cocoClasses[Math.round(type)];
      if (!(score >= minScore) || label === undefined) continue;
      const corners = [...toPicture(placement, [x0, y0]), ...toPicture(placement, [x1, y1])] as const;
      found.push({ label, score, corners });
    }
    return found;
  },
};

/** The opened detection model. */
export interface Detector {
  /** Model id in the registry. */
  readonly model: string;
  /** Class names that the model can return. */
  readonly classes: readonly string[];
  /** Returns detections with a score of at least `minScore`, in px of the recorded picture, highest score first. */
  readonly detect: (frame: LaneFrame, minScore: number) => Promise<readonly Detection[]>;
}

const adapters: Readonly<Partial<Record<PictureContract['form'], DetectorAdapter>>> = { centernet, detr };

/**
 * Opens the selected model of the `detection` surface as a detector with boxes in px of the recorded picture; throws
 * `layer_unavailable` if no model can run here or its output form is not supported.
 */
export async function openDetector(context: LaneContext): Promise<Detector> {
  const session = await context.model('detection');
  if (session === null)
    throw new AssayError('layer_unavailable', 'no detection model is available here', {
      advice: 'run assay models list to see the available models',
    });
  const { contract, model } = session;
  const form = contract === null || contract.form === 'sentence' ? undefined : adapters[contract.form];
  if (contract === null || contract.form === 'sentence' || form === undefined)
    throw new AssayError('layer_unavailable', `the model ${model} is not supported for detection`, {
      advice: 'choose another detection model; run assay models list to see them',
    });
  return {
    model,
    classes: form.classes,
    detect: async (frame, minScore) =>
      toStoredDetections(await form.detect(session, contract, frame, minScore), frame),
  };
}

/** Axis-aligned box: left, top, width and height in px. */
export type Box = readonly [left: number, top: number, width: number, height: number];

/** A detected object; its box is in px of the picture as recorded. */
export interface Detection {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
  readonly box: Box;
}

/** Returns the intersection over union of two boxes, 0 to 1; 0 if they do not overlap. */
export function boxIou(a: Box, b: Box): number {
  const width = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const both = width * height;
  return both / (a[2] * a[3] + b[2] * b[3] - both);
}

/** Minimum IoU at which two boxes of one class count as duplicates. */
const duplicateIou = 0.6;

/**
 * Converts raw detections to px of the recorded picture, highest score first. Boxes are clipped to the picture; boxes
 * without area are dropped, and so are boxes that overlap a higher-scored box of the same class by more than
 * `duplicateIou`.
 */
function toStoredDetections(raw: readonly RawDetection[], frame: LaneFrame): readonly Detection[] {
  const detections: Detection[] = [];
  for (const { label, score, corners } of [...raw].sort((a, b) => b.score - a.score)) {
    const box = toStoredBox(corners, frame);
    if (!(box[2] > 0 && box[3] > 0)) continue;
    if (detections.some((other) => other.label === label && boxIou(other.box, box) > duplicateIou)) continue;
    detections.push({ label, score, box });
  }
  return detections;
}

function toStoredBox([x0, y0, x1, y1]: Corners, { width_px, height_px, stored_px }: LaneFrame): Box {
  const [width, height] = stored_px;
  const x = (at: number) => clamp((at * width) / width_px, 0, width);
  const y = (at: number) => clamp((at * height) / height_px, 0, height);
  return [x(x0), y(y0), x(x1) - x(x0), y(y1) - y(y0)];
}

/** Corners of a box in px: left, top, right, bottom. */
type Corners = readonly [x0: number, y0: number, x1: number, y1: number];

/** A detection as decoded from model output, in px of the frame that the model received. */
interface RawDetection {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
  readonly corners: Corners;
}

/** Adapter for one model form: prepares the input and decodes the output. */
interface DetectorAdapter {
  /** Class names that the model can return. */
  readonly classes: readonly string[];
  /** Returns all detections with a score of at least `minScore`. */
  readonly detect: (
    session: ModelSession,
    contract: PictureContract,
    picture: Picture,
    minScore: number,
  ) => Promise<readonly RawDetection[]>;
}

/**
 * Returns the float32 data of a named output; throws `layer_unavailable` if the model has no float32 output of that
 * name.
 */
export function requireFloatOutput({ model }: ModelSession, outputs: Tensors, name: string): Float32Array {
  const tensor = outputs[name];
  if (tensor?.type === 'float32') return tensor.data;
  throw new AssayError('layer_unavailable', `the model ${model} has no float output ${name}`, {
    advice: `run assay models verify ${model}, or choose another model`,
  });
}

/** The classes to keep. */
interface ClassSelection {
  /** Class names; `null` for all that the model knows. */
  readonly names: ReadonlySet<string> | null;
  /** Requested names that the model does not know. */
  readonly unknown: readonly string[];
}

/**
 * Returns which of the model's classes the layer settings `ontology_source` and `classes` keep (`null`: all) and the
 * unknown ones; throws `invalid_settings` if all are unknown, `layer_unavailable` for source `workspace`.
 */
export function selectClasses(
  { ontology_source, classes }: LayerConfig,
  { model, classes: modelClasses }: { readonly model: string; readonly classes: readonly string[] },
): ClassSelection {
  if (ontology_source === 'open') return { names: null, unknown: [] };
  if (ontology_source === 'workspace')
    throw new AssayError('layer_unavailable', 'classes from the workspace are not supported yet', {
      advice: 'set ontology_source to manual and list the classes in classes',
    });
  const requested = (Array.isArray(classes) ? classes : []).map((name) => String(name).trim().toLowerCase());
  const names = new Set(requested.filter((name) => modelClasses.includes(name)));
  if (names.size === 0)
    throw new AssayError('invalid_settings', `none of the requested classes is known to ${model}`, {
      advice: `known classes: ${modelClasses.join(', ')}`,
    });
  return { names, unknown: [...new Set(requested.filter((name) => !names.has(name)))] };
}
