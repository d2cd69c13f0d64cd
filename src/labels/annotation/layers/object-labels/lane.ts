import { type JsonObject, significant } from '#core';
import { type Detection, overlap } from '../../detection/boxes.ts';
import { openDetector } from '../../detection/open-detector.ts';
import { type Lane, type LaneFrame, mainPart } from '../../lane.ts';
import { encodeRle, Outliner, outlineMethod } from '../../masks/outliner.ts';
import { micro } from '../../micro.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';
import { wantedClasses } from './wanted-classes.ts';

/** Boxes with class and confidence on sampled frames, in px of the recording. */
export const lane: Lane = {
  version: 1,
  requires: ['detection'],
  run: async (_, context) => {
    const { config } = context;
    const outliner = config.masks === true ? await Outliner.create(context) : null;
    const detector = await openDetector(context);
    const wanted = wantedClasses(config, detector);
    const floor = Number(config.confidence_floor);
    const notes = new CameraNotes();
    const steadiness = new Steadiness();
    const frames: JsonObject[] = [];
    let boxes = 0;
    for await (const batch of context.frames()) {
      if (notes.add(batch)) steadiness.forget();
      for (const frame of batch.frames) {
        context.signal.throwIfAborted();
        const all = await detector.detect(frame, floor);
        const found = all.filter(({ label }) => wanted.names?.has(label) ?? true);
        steadiness.add(found);
        boxes += found.length;
        frames.push(frameJson(frame, found, outliner));
      }
    }
    notes.demandFrames();
    const quality = steadiness.value;
    const { model } = detector;
    const classes = wanted.names === null ? null : [...wanted.names].sort();
    const json = {
      ...{ cameras: notes.json(), classes, classes_unknown: wanted.unknown },
      ...{ confidence_floor: floor, frames, model, schema: 'assay/object-labels/v1' },
      ...(outliner !== null && { outlines: outlineMethod }),
    };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { boxes, frames: frames.length },
      quality: quality === null ? null : significant(quality, 4),
      quality_reason: quality === null ? 'no box was found in a frame that another one follows' : null,
    };
  },
};

/** An object without an outline has `null` in its place. */
const frameJson = (frame: LaneFrame, found: readonly Detection[], outliner: Outliner | null): JsonObject => {
  const { camera, row, time_s, stored_px } = frame;
  const [width_px, height_px] = stored_px;
  const rleOf = (own: Outliner, box: Detection['box']) => {
    const mask = own.outline(frame, box);
    return mask === null ? null : encodeRle(mask, { width_px, height_px });
  };
  return {
    ...{ camera, row, time_s: micro(time_s), width_px, height_px },
    boxes: found.map(({ label, score, box }) => ({
      ...{ label, score: significant(score, 4), box: box.map((px) => Math.round(px * 100) / 100) },
      ...(outliner !== null && { mask: rleOf(outliner, box) }),
    })),
  };
};

/** From where a box of the next sampled frame confirms one of the same class. */
const confirms = 0.3;

/** How far a camera's boxes confirm one another: mean confidence of those that are, times their share. */
class Steadiness {
  #before: readonly Detection[] = [];
  #asked = 0;
  #confidence = 0;

  /** The frames that come next are of another camera, or frames lie between that nobody saw. */
  forget(): void {
    this.#before = [];
  }

  add(found: readonly Detection[]): void {
    for (const { label, box, score } of this.#before) {
      this.#asked++;
      if (!found.some((next) => next.label === label && overlap(next.box, box) >= confirms)) continue;
      this.#confidence += score;
    }
    this.#before = found;
  }

  /** Null: no box has a frame after it. Sum of confidences of confirmed boxes over all that could have been. */
  get value(): number | null {
    return this.#asked === 0 ? null : this.#confidence / this.#asked;
  }
}
