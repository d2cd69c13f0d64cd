import { type JsonObject, significant } from '#core';
import { layerTitles } from '#core/titles';
import { choiceKnob, flagKnob, namesKnob, numberKnob } from '../knob.ts';
import { type Lane, type LaneFrame, mainPart, roundToMicroseconds } from '../lane.ts';
import { allModes, countSampledPictures, type LayerRow, noPicturesReason, sampledFrames } from '../layer.ts';
import { boxIou, type Detection, openDetector, selectClasses } from '../vision/detection.ts';
import { CameraNotes } from '../vision/frame-selection.ts';
import { encodeRle, Outliner, outlineMethod } from '../vision/outliner.ts';

/** Detects objects on sampled frames: boxes with class and score, in px of the recorded picture. */
const lane: Lane = {
  version: 1,
  run: async (_, context) => {
    const { config } = context;
    const outliner = config.masks === true ? await Outliner.create(context) : null;
    const detector = await openDetector(context);
    const selection = selectClasses(config, detector);
    const minScore = Number(config.confidence_floor);
    const notes = new CameraNotes();
    const steadiness = new DetectionStability();
    const frames: JsonObject[] = [];
    let boxes = 0;
    for await (const batch of context.frames()) {
      if (notes.add(batch)) steadiness.reset();
      for (const frame of batch.frames) {
        context.signal.throwIfAborted();
        const detections = await detector.detect(frame, minScore);
        const found = detections.filter(({ label }) => selection.names?.has(label) ?? true);
        steadiness.add(found);
        boxes += found.length;
        frames.push(frameJson(frame, found, outliner));
      }
    }
    notes.requireFrames();
    const quality = steadiness.value;
    const { model } = detector;
    const classes = selection.names === null ? null : [...selection.names].sort();
    const json = {
      ...{ cameras: notes.json(), classes, classes_unknown: selection.unknown },
      ...{ confidence_floor: minScore, frames, model, schema: 'assay/object-labels/v1' },
      ...(outliner !== null && { outlines: outlineMethod }),
    };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { boxes, frames: frames.length },
      quality: quality === null ? null : significant(quality, 4),
      quality_reason: quality === null ? 'no objects in a frame that is followed by another frame' : null,
    };
  },
};

/** The object labels layer. */
export const objectLabels: LayerRow = {
  id: 'object_labels',
  title: layerTitles.object_labels,
  produces: 'bounding boxes with class and confidence on sampled frames, optionally with masks',
  needs: {
    signals: false,
    frames: sampledFrames(640),
    layers: [],
    models: [{ surface: 'detection' }, { surface: 'masks', when: ({ masks }) => masks === true }],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'steady_confidence',
    how: 'mean confidence of the detections confirmed by the next sampled frame, times the fraction that is confirmed',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1', 'coco-detection'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    ontology_source: choiceKnob(['open', 'workspace', 'manual'], {
      summary:
        'which classes to detect: all that the model knows (open), those declared in the workspace, or those in `classes` (manual)',
    }),
    classes: namesKnob({ summary: 'classes to detect if `ontology_source` is `manual`' }),
    confidence_floor: numberKnob([0, 1, 0.35], null, { summary: 'minimum confidence' }),
    masks: flagKnob(false, { summary: 'also compute a mask for each object', moves_cost: true }),
    sample_hz: numberKnob([0.1, 30, 1], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
  },
  planned_compute_s: (size, { sample_hz, masks }) =>
    (masks ? 0.6 : 0.15) * countSampledPictures(size, sample_hz),
  lane,
};

/** Builds the artifact entry of a frame. With outlines requested, an object without one has `mask: null`. */
const frameJson = (frame: LaneFrame, found: readonly Detection[], outliner: Outliner | null): JsonObject => {
  const { camera, row, time_s, stored_px } = frame;
  const [width_px, height_px] = stored_px;
  const rleOf = (outliner: Outliner, box: Detection['box']) => {
    const mask = outliner.outline(frame, box);
    return mask === null ? null : encodeRle(mask, { width_px, height_px });
  };
  return {
    ...{ camera, row, time_s: roundToMicroseconds(time_s), width_px, height_px },
    boxes: found.map(({ label, score, box }) => ({
      ...{ label, score: significant(score, 4), box: box.map((px) => Math.round(px * 100) / 100) },
      ...(outliner !== null && { mask: rleOf(outliner, box) }),
    })),
  };
};

/** Minimum IoU at which a box in the next sampled frame confirms a box of the same class. */
const confirmIou = 0.3;

/**
 * Measures detection stability: mean score of confirmed boxes times the fraction confirmed, over consecutive frames
 * of a camera.
 */
class DetectionStability {
  #before: readonly Detection[] = [];
  #candidates = 0;
  #confirmedScore = 0;

  /** Starts a new sequence: the next frames are of another camera, or frames in between are missing. */
  reset(): void {
    this.#before = [];
  }

  /** Adds the detections of the next frame. */
  add(found: readonly Detection[]): void {
    for (const { label, box, score } of this.#before) {
      this.#candidates++;
      if (!found.some((next) => next.label === label && boxIou(next.box, box) >= confirmIou)) continue;
      this.#confirmedScore += score;
    }
    this.#before = found;
  }

  /**
   * Sum of the scores of confirmed boxes, divided by the number of boxes that have a following frame; `null` if none
   * has.
   */
  get value(): number | null {
    return this.#candidates === 0 ? null : this.#confirmedScore / this.#candidates;
  }
}
