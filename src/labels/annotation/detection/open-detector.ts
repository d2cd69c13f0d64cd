import { AssayError } from '#core';
import type { ModelContract } from '#labels/models';
import type { LaneContext, LaneFrame } from '../lane.ts';
import { pictureTensor, sideOf } from '../pictures/picture-tensor.ts';
import { inPicture, stretched } from '../pictures/placement.ts';
import { type Detection, type DetectorForm, floatsOf, type RawDetection, storedDetections } from './boxes.ts';

/** The classes of COCO's instances, in their order. */
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

/** Numbers between 1 and 90 that COCO's annotations skip. */
const skipped: ReadonlySet<number> = new Set([12, 26, 29, 30, 45, 66, 68, 69, 71, 83]);

/** By the number in COCO's annotations, 0 to 90; null for those that name nothing. */
const cocoByCategory: readonly (string | null)[] = (() => {
  const names = cocoClasses.values();
  return Array.from({ length: 91 }, (_, id) => (id === 0 || skipped.has(id) ? null : names.next().value!));
})();

/**
 * The family of DETR whose classes are told apart by sigmoids (RT-DETR, D-FINE, RF-DETR): for each query a logit a class,
 * 80 in COCO's order or 91 by COCO's own numbers, and a box as centre and size in shares of the picture.
 */
const detr: DetectorForm = {
  classes: cocoClasses,
  detect: async (session, contract, picture, floor) => {
    const placement = stretched(picture, sideOf(session, contract));
    const { side_px } = placement;
    const pixels = pictureTensor(picture, placement, contract, { layout: 'planes' });
    const outputs = await session.run({ pixel_values: pixels });
    const logits = floatsOf(session, outputs, 'logits');
    const boxes = floatsOf(session, outputs, 'pred_boxes');
    const queries = boxes.length / 4;
    const width = logits.length / queries;
    const names = width === cocoByCategory.length ? cocoByCategory : cocoClasses;
    const found: RawDetection[] = [];
    for (let query = 0; query < queries; query++) {
      const best = bestOf(logits.subarray(query * width, (query + 1) * width), names);
      if (best === null || !(best.score >= floor)) continue;
      const [x, y, w, h] = boxes.subarray(4 * query, 4 * query + 4).map((share) => share * side_px);
      const corners = [
        ...inPicture(placement, [x - w / 2, y - h / 2]),
        ...inPicture(placement, [x + w / 2, y + h / 2]),
      ] as const;
      found.push({ ...best, corners });
    }
    return found;
  },
};

/** The class that a query speaks for most. */
function bestOf(
  logits: Float32Array,
  names: readonly (string | null)[],
): Pick<RawDetection, 'label' | 'score'> | null {
  let best = -1;
  for (const [at, name] of names.entries())
    if (name !== null && logits[at] > (best < 0 ? Number.NEGATIVE_INFINITY : logits[best])) best = at;
  const label = best < 0 ? null : names[best];
  return label === null ? null : { label, score: 1 / (1 + Math.exp(-logits[best])) };
}

/** Rows of left, top, right, bottom, score and class, in px of the square. */
const centernet: DetectorForm = {
  classes: cocoClasses,
  detect: async (session, contract, picture, floor) => {
    const placement = stretched(picture, sideOf(session, contract));
    const pixels = pictureTensor(picture, placement, contract, { layout: 'rows' });
    const outputs = await session.run({ 'tower_0/images': pixels });
    const rows = floatsOf(session, outputs, 'tower_0/detections');
    const found: RawDetection[] = [];
    for (let at = 0; at + 6 <= rows.length; at += 6) {
      const [x0, y0, x1, y1, score, type] = rows.subarray(at, at + 6);
      const label = cocoClasses[Math.round(type)];
      if (!(score >= floor) || label === undefined) continue;
      const corners = [...inPicture(placement, [x0, y0]), ...inPicture(placement, [x1, y1])] as const;
      found.push({ label, score, corners });
    }
    return found;
  },
};

/** The model in effect for detection. */
export interface Detector {
  /** Its id in the registry. */
  readonly model: string;
  /** Names of the classes that it can find. */
  readonly classes: readonly string[];
  /** Objects in px of the stored picture, the surest first, from `floor` on. */
  readonly detect: (frame: LaneFrame, floor: number) => Promise<readonly Detection[]>;
}

const forms: Readonly<Partial<Record<ModelContract['form'], DetectorForm>>> = { centernet, detr };

/** Throws `layer_unavailable` where no model for detection can be run here, or lanes cannot read it. */
export async function openDetector(context: LaneContext): Promise<Detector> {
  const session = await context.model('detection');
  if (session === null)
    throw new AssayError('layer_unavailable', 'no model for detection can be run here', {
      advice: 'assay models list says which can',
    });
  const { contract, model } = session;
  const form = contract === null ? undefined : forms[contract.form];
  if (contract === null || form === undefined)
    throw new AssayError('layer_unavailable', `this version cannot read what ${model} finds`, {
      advice: 'choose another model for detection; assay models list names them',
    });
  return {
    model,
    classes: form.classes,
    detect: async (frame, floor) =>
      storedDetections(await form.detect(session, contract, frame, floor), frame),
  };
}
