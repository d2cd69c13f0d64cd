import { type JsonObject, significant } from '#core';
import { layerTitles } from '#core/titles';
import { namesKnob, numberKnob } from '../knob.ts';
import { type Lane, type LaneFrame, type LaneOutput, mainPart, roundToMicroseconds } from '../lane.ts';
import { allModes, countSampledPictures, type LayerRow, noPicturesReason, sampledFrames } from '../layer.ts';
import { type Detector, openDetector, selectClasses } from '../vision/detection.ts';
import { CameraNotes } from '../vision/frame-selection.ts';
import { encodeRle, type Mask, Outliner, outlineMethod, type Rle } from '../vision/outliner.ts';

/** Assigns a class to each pixel: that of the highest-scored object whose outline contains it. */
const lane: Lane = {
  version: 1,
  run: async (_, context) => {
    const detector = await openDetector(context);
    const outliner = await Outliner.create(context);
    const selection = selectKeptClasses(context.config.classes, detector);
    const notes = new CameraNotes();
    const flicker = new LabelStability();
    const frames: JsonObject[] = [];
    for await (const batch of context.frames()) {
      if (notes.add(batch)) flicker.reset();
      for (const frame of batch.frames) {
        const map = new LabelMap(frame.stored_px);
        const objects = await paintObjects(map, frame, { detector, outliner, classes: selection.names });
        flicker.add(map);
        frames.push(frameJson(frame, map, objects));
      }
    }
    notes.requireFrames();
    return buildOutput(notes, frames, flicker, {
      classes: selection.names === null ? null : [...selection.names].sort(),
      classes_unknown: selection.unknown,
      model: detector.model,
    });
  },
};

/** The segmentation layer. */
export const segmentation: LayerRow = {
  id: 'segmentation',
  title: layerTitles.segmentation,
  produces: 'the class of each pixel on sampled frames, as run-length encoded masks',
  needs: {
    signals: false,
    frames: sampledFrames(640),
    layers: [],
    models: [{ surface: 'masks' }, { surface: 'detection' }],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'labelled_fraction',
    how: 'fraction of pixels that have the same class in the next sampled frame; for a single frame, fraction of pixels with a class',
  },
  exports: ['coco-detection'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 10, 0.5], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    classes: namesKnob({ summary: 'classes to keep; empty keeps all' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.8 * countSampledPictures(size, sample_hz),
  lane,
};

/** Minimum detection score of an object to be outlined. */
const confidence_floor = 0.35;

/**
 * Resolves the layer setting `classes` to the classes to keep; empty keeps all.
 * @throws `invalid_settings` if the model knows none of the classes.
 */
const selectKeptClasses = (classes: Parameters<typeof selectClasses>[0][string], detector: Detector) =>
  Array.isArray(classes) && classes.length > 0
    ? selectClasses({ ontology_source: 'manual', classes }, detector)
    : { names: null, unknown: [] };

interface LabelSources {
  readonly detector: Detector;
  readonly outliner: Outliner;
  readonly classes: ReadonlySet<string> | null;
}

/** Number of detected objects, and how many of them have no outline. */
interface ObjectCount {
  readonly objects: number;
  readonly without_outline: number;
}

async function paintObjects(
  map: LabelMap,
  frame: LaneFrame,
  { detector, outliner, classes }: LabelSources,
): Promise<ObjectCount> {
  const all = await detector.detect(frame, confidence_floor);
  const found = all.filter(({ label }) => classes?.has(label) ?? true);
  let without_outline = 0;
  // Highest score last, so that it wins.
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
  const labels = map.labelledPixels().map(({ label, pixels, rle }) => ({ label, pixels, rle }));
  return { camera, row, time_s: roundToMicroseconds(time_s), width_px, height_px, ...objects, labels };
}

function buildOutput(
  notes: CameraNotes,
  frames: readonly JsonObject[],
  flicker: LabelStability,
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

/**
 * Computes the quality signal: mean fraction of pixels that have a class and the same class in the next frame; for
 * single frames, the mean fraction that have a class.
 */
class LabelStability {
  #before: LabelMap | null = null;
  #labelled = 0;
  #frames = 0;
  #confirmed = 0;
  #pairs = 0;

  reset(): void {
    this.#before = null;
  }

  add(map: LabelMap): void {
    this.#labelled += map.labelled;
    this.#frames++;
    if (this.#before !== null) {
      this.#confirmed += this.#before.confirmedBy(map);
      this.#pairs++;
    }
    this.#before = map;
  }

  get value(): number {
    if (this.#pairs > 0) return this.#confirmed / this.#pairs;
    return this.#frames > 0 ? this.#labelled / this.#frames : 0;
  }
}

/** A class with its pixels in a picture. */
interface LabelledPixels {
  readonly label: string;
  readonly pixels: number;
  readonly rle: Rle;
}

/** Class of each pixel of a recorded picture. */
class LabelMap {
  readonly #width_px: number;
  readonly #height_px: number;
  /** 1-based index into `#labels` per pixel, rows from the top; 0 for no class. */
  readonly #classes: Uint16Array;
  readonly #labels: string[] = [];

  constructor([width_px, height_px]: readonly [number, number]) {
    [this.#width_px, this.#height_px] = [width_px, height_px];
    this.#classes = new Uint16Array(width_px * height_px);
  }

  /** Assigns a class to the pixels of a mask, replacing earlier classes. */
  paint(label: string, { left, top, width, height, bits }: Mask): void {
    let index = this.#labels.indexOf(label) + 1;
    if (index === 0) index = this.#labels.push(label);
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        if (bits[row * width + column] === 1)
          this.#classes[(top + row) * this.#width_px + left + column] = index;
  }

  /** Fraction of pixels that have a class. */
  get labelled(): number {
    let count = 0;
    for (const index of this.#classes) if (index > 0) count++;
    return count / this.#classes.length;
  }

  /** Returns the fraction of pixels with the same class in both maps; 0 if the sizes differ. */
  confirmedBy(other: LabelMap): number {
    if (other.#width_px !== this.#width_px || other.#height_px !== this.#height_px) return 0;
    const same = [0, ...this.#labels.map((label) => other.#labels.indexOf(label) + 1)];
    let count = 0;
    for (let at = 0; at < this.#classes.length; at++) {
      const index = this.#classes[at];
      if (index > 0 && same[index] === other.#classes[at]) count++;
    }
    return count / this.#classes.length;
  }

  /** Returns the classes that have pixels, sorted by name. */
  labelledPixels(): readonly LabelledPixels[] {
    const size = { width_px: this.#width_px, height_px: this.#height_px };
    return [...this.#labels].sort().flatMap((label) => {
      const index = this.#labels.indexOf(label) + 1;
      const bits = new Uint8Array(this.#classes.length);
      let pixels = 0;
      for (let at = 0; at < bits.length; at++)
        if (this.#classes[at] === index) {
          bits[at] = 1;
          pixels++;
        }
      const mask = { left: 0, top: 0, width: size.width_px, height: size.height_px, bits };
      return pixels === 0 ? [] : [{ label, pixels, rle: encodeRle(mask, size) }];
    });
  }
}
