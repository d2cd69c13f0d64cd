import { type JsonObject, significant } from '#core';
import { type Detector, openDetector } from '../../detection/open-detector.ts';
import { type Lane, type LaneFrame, type LaneOutput, mainPart } from '../../lane.ts';
import {
  encodeRle,
  type Mask,
  type Outliner,
  openOutliner,
  outlineMethod,
  type Rle,
} from '../../masks/outliner.ts';
import { micro } from '../../micro.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';
import { wantedClasses } from '../object-labels/wanted-classes.ts';

/** Objects that are surer than this are outlined. */
const confidence_floor = 0.35;

/** Which class each pixel has: that of the surest object whose outline it lies in. */
export const lane: Lane = {
  version: 1,
  requires: ['detection', 'masks'],
  run: async (_, context) => {
    const detector = await openDetector(context);
    const outliner = await openOutliner(context);
    const wanted = wantedHere(context.config.classes, detector);
    const notes = new CameraNotes();
    const flicker = new Flicker();
    const frames: JsonObject[] = [];
    for await (const batch of context.frames()) {
      if (notes.add(batch)) flicker.forget();
      for (const frame of batch.frames) {
        const map = new LabelMap(frame.stored_px);
        const objects = await paintObjects(map, frame, { detector, outliner, wanted: wanted.names });
        flicker.add(map);
        frames.push(frameJson(frame, map, objects));
      }
    }
    notes.demandFrames();
    return outputOf(notes, frames, flicker, {
      classes: wanted.names === null ? null : [...wanted.names].sort(),
      classes_unknown: wanted.unknown,
      model: detector.model,
    });
  },
};

/** Empty keeps all. Throws where no class is one that the model knows. */
const wantedHere = (classes: Parameters<typeof wantedClasses>[0][string], detector: Detector) =>
  Array.isArray(classes) && classes.length > 0
    ? wantedClasses({ ontology_source: 'manual', classes }, detector)
    : { names: null, unknown: [] };

interface Painters {
  readonly detector: Detector;
  readonly outliner: Outliner;
  readonly wanted: ReadonlySet<string> | null;
}

/** How many objects there are, and how many of them no outline was found for. */
interface ObjectCount {
  readonly objects: number;
  readonly without_outline: number;
}

async function paintObjects(
  map: LabelMap,
  frame: LaneFrame,
  { detector, outliner, wanted }: Painters,
): Promise<ObjectCount> {
  const all = await detector.detect(frame, confidence_floor);
  const found = all.filter(({ label }) => wanted?.has(label) ?? true);
  let without_outline = 0;
  // The surest is painted last.
  for (const { label, box } of found.toReversed()) {
    const mask = outliner.outline(frame, box);
    if (mask === null) without_outline++;
    else map.paint(label, mask);
  }
  return { objects: found.length, without_outline };
}

function frameJson(
  { camera, row, time_s, stored_px: [width_px, height_px] }: LaneFrame,
  map: LabelMap,
  objects: ObjectCount,
): JsonObject {
  const labels = map.tell().map(({ label, pixels, rle }) => ({ label, pixels, rle }));
  return { camera, row, time_s: micro(time_s), width_px, height_px, ...objects, labels };
}

function outputOf(
  notes: CameraNotes,
  frames: readonly JsonObject[],
  flicker: Flicker,
  about: JsonObject,
): LaneOutput {
  const json: JsonObject = {
    ...{ cameras: notes.json(), frames, ...about },
    method: { confidence_floor, objects: about.model, outlines: outlineMethod },
    schema: 'assay/segmentation/v1',
  };
  const labels = frames.reduce((sum, one) => sum + (one.labels as readonly JsonObject[]).length, 0);
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }],
    counts: { frames: frames.length, labels },
    quality: significant(flicker.value, 4),
    quality_reason: null,
  };
}

/** Share of pixels that got a class; of frames that another one follows, those that it gives the same. */
class Flicker {
  #before: LabelMap | null = null;
  #alone = 0;
  #frames = 0;
  #confirmed = 0;
  #pairs = 0;

  forget(): void {
    this.#before = null;
  }

  add(map: LabelMap): void {
    this.#alone += map.labelled;
    this.#frames++;
    if (this.#before !== null) {
      this.#confirmed += this.#before.confirmedBy(map);
      this.#pairs++;
    }
    this.#before = map;
  }

  get value(): number {
    if (this.#pairs > 0) return this.#confirmed / this.#pairs;
    return this.#frames > 0 ? this.#alone / this.#frames : 0;
  }
}

/** A class in a picture, and the pixels that are its own. */
interface LabelledPixels {
  readonly label: string;
  readonly pixels: number;
  readonly rle: Rle;
}

/** The class of every pixel of a stored picture. */
class LabelMap {
  readonly #width_px: number;
  readonly #height_px: number;
  /** By pixel, rows from the top: place of its class in `#labels`, counted from 1; 0: none. */
  readonly #classes: Uint16Array;
  readonly #labels: string[] = [];

  constructor([width_px, height_px]: readonly [number, number]) {
    [this.#width_px, this.#height_px] = [width_px, height_px];
    this.#classes = new Uint16Array(width_px * height_px);
  }

  /** What was painted before gives way. */
  paint(label: string, { left, top, width, height, bits }: Mask): void {
    let own = this.#labels.indexOf(label) + 1;
    if (own === 0) own = this.#labels.push(label);
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        if (bits[row * width + column] === 1)
          this.#classes[(top + row) * this.#width_px + left + column] = own;
  }

  /** Share of the pixels that have a class. */
  get labelled(): number {
    let count = 0;
    for (const own of this.#classes) if (own > 0) count++;
    return count / this.#classes.length;
  }

  /** Share of the pixels that have a class, and the same one in a picture of the same size; 0: the sizes differ. */
  confirmedBy(other: LabelMap): number {
    if (other.#width_px !== this.#width_px || other.#height_px !== this.#height_px) return 0;
    const same = [0, ...this.#labels.map((label) => other.#labels.indexOf(label) + 1)];
    let count = 0;
    for (let at = 0; at < this.#classes.length; at++) {
      const own = this.#classes[at];
      if (own > 0 && same[own] === other.#classes[at]) count++;
    }
    return count / this.#classes.length;
  }

  /** Classes that have pixels, in the order of their names. */
  tell(): readonly LabelledPixels[] {
    const size = { width_px: this.#width_px, height_px: this.#height_px };
    return [...this.#labels].sort().flatMap((label) => {
      const own = this.#labels.indexOf(label) + 1;
      const bits = new Uint8Array(this.#classes.length);
      let pixels = 0;
      for (let at = 0; at < bits.length; at++)
        if (this.#classes[at] === own) {
          bits[at] = 1;
          pixels++;
        }
      const mask = { left: 0, top: 0, width: size.width_px, height: size.height_px, bits };
      return pixels === 0 ? [] : [{ label, pixels, rle: encodeRle(mask, size) }];
    });
  }
}
