import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import type { WriterOptions } from '../shared/write/export-format.ts';
import { withWriteErrors } from '../shared/write/output-files.ts';
import type { EpisodeAnnotations, LayerDetection, PictureMask } from '../shared/write/set/judgement.ts';
import { AnnotationFile } from './write-annotation-file.ts';

/** Layers whose results are written, one file each. */
const predictedLayers = ['object_labels', 'segmentation'] as const;
type PredictedLayer = (typeof predictedLayers)[number];

/** An image of the set, as in its annotation file. */
interface CocoImage extends JsonObject {
  readonly id: number;
  readonly width: number;
  readonly height: number;
}

type Size = readonly [height_px: number, width_px: number];

/**
 * Writes what annotation layers found in the images of a COCO set as COCO files of their own, so that nobody takes them
 * for labels of people: `predictions/LAYER_SPLIT.json`, with the images of the split and the category ids of the set.
 */
export class Predictions {
  readonly #folder: string;
  readonly #layers: readonly PredictedLayer[];
  readonly #files = new Map<string, AnnotationFile>();
  /** Predicted classes in order of appearance. */
  readonly #classes = new Set<string>();
  #annotations = 0;
  #unfitting = 0;

  constructor({ folder, layers }: Pick<WriterOptions, 'folder' | 'layers'>) {
    this.#folder = folder;
    this.#layers = predictedLayers.filter((layer) => layers.has(layer));
  }

  /**
   * Adds an image and the annotations of each selected layer in it; an image without annotations is added, too.
   * Annotations for another image size are left out. `key`: its stream and frame, such as `front 12`, as in the
   * episode's annotations.
   */
  async add(
    split: string,
    image: CocoImage,
    annotated: EpisodeAnnotations | null,
    key: string,
  ): Promise<void> {
    for (const layer of this.#layers) {
      const file = await this.#file(layer, split);
      await file.image(image);
      const size: Size = [image.height, image.width];
      const found =
        layer === 'object_labels'
          ? this.#objects(annotated?.sightings.object_labels?.at.get(key) ?? [], size)
          : this.#masks(annotated?.masks.get(key) ?? [], size);
      for (const annotation of found)
        await file.annotation({
          ...{ id: ++this.#annotations, image_id: image.id },
          ...annotation,
          source: layer,
        });
    }
  }

  /** Completes the files. `categories`: ids of the categories of the set; other classes get ids after them. */
  async finish(categories: ReadonlyMap<string, number>): Promise<void> {
    const ids = new Map(categories);
    for (const name of this.#classes) if (!ids.has(name)) ids.set(name, ids.size + 1);
    const listed = [...ids].map(([name, id]) => ({ id, name, supercategory: '' }));
    for (const file of this.#files.values())
      await file.finish(listed, ({ category, ...annotation }) => ({
        ...annotation,
        category_id: ids.get(String(category))!,
      }));
  }

  /**
   * Returns one lineage entry with the number of annotations that were left out because of their size; empty if there
   * are none.
   */
  edits(): JsonObject[] {
    if (this.#unfitting === 0) return [];
    const reason = `${this.#unfitting} masks and boxes were left out because they were made for images of another size`;
    return [{ edit: 'drop_labels', feature: 'annotations', reason }];
  }

  /** Returns annotations of the detections of layer `object_labels`, with masks where available. */
  #objects(objects: readonly LayerDetection[], size: Size): JsonObject[] {
    return objects.flatMap(({ label, score, box, mask, size_px: [width, height] }) => {
      if (label === null || box === null) return [];
      this.#classes.add(label);
      if (!this.#matchesSize([height, width], size)) return [];
      const [, , box_width, box_height] = box;
      const area = mask === null ? box_width * box_height : countRlePixels(mask.counts);
      const segmentation = mask === null ? [] : { size: [...mask.size], counts: mask.counts };
      return [{ category: label, bbox: [...box], area, iscrowd: 0, segmentation, score }];
    });
  }

  /** Returns annotations of the class masks of layer `segmentation`. */
  #masks(masks: readonly PictureMask[], size: Size): JsonObject[] {
    return masks.flatMap(({ label, pixels, rle }) => {
      this.#classes.add(label);
      if (!this.#matchesSize(rle.size, size) || pixels === 0) return [];
      const segmentation = { size: [...rle.size], counts: rle.counts };
      const bbox = computeRleBox(rle.counts, rle.size);
      return [{ category: label, bbox, area: pixels, iscrowd: 0, segmentation }];
    });
  }

  /** True if the annotation has the picture's size; others are counted, since their pixels cannot be matched. */
  #matchesSize(annotationSize: Size, size: Size): boolean {
    const fits = annotationSize[0] === size[0] && annotationSize[1] === size[1];
    if (!fits) this.#unfitting++;
    return fits;
  }

  async #file(layer: PredictedLayer, split: string): Promise<AnnotationFile> {
    const name = `${layer}_${split}.json`;
    const existing = this.#files.get(name);
    if (existing !== undefined) return existing;
    const folder = join(this.#folder, 'predictions');
    await withWriteErrors(folder, mkdir(folder, { recursive: true }));
    const info = { description: `results of the annotation layer ${layer}`, source: 'machine' };
    const created = await AnnotationFile.open(join(folder, name), info);
    this.#files.set(name, created);
    return created;
  }
}

/**
 * Returns the bounding box of a COCO run-length mask: x, y, width and height in px. `size`: height and width of the
 * picture. The mask must not be empty. Runs go column by column, as in `rleFrString` of pycocotools' maskApi.c.
 */
function computeRleBox(
  counts: string,
  [height, width]: readonly [height_px: number, width_px: number],
): [x: number, y: number, width: number, height: number] {
  let [left, right, top, bottom] = [width, -1, height, -1];
  let at = 0;
  for (const [place, run] of decodeRle(counts).entries()) {
    const [first, last] = [at, at + run - 1];
    at += run;
    if (place % 2 === 0 || run === 0) continue;
    const [from, to] = [Math.floor(first / height), Math.floor(last / height)];
    left = Math.min(left, from);
    right = Math.max(right, to);
    // A run across the end of a column reaches its bottom, and the top of the next one.
    top = Math.min(top, from === to ? first % height : 0);
    bottom = Math.max(bottom, from === to ? last % height : height - 1);
  }
  return [left, top, right - left + 1, bottom - top + 1];
}

/** Returns the number of pixels of a COCO run-length mask. */
const countRlePixels = (counts: string): number =>
  decodeRle(counts).reduce((sum, run, place) => (place % 2 === 0 ? sum : sum + run), 0);

/**
 * Decodes COCO run lengths, alternately outside and inside. From the fourth on they are stored as the difference from
 * the one two before.
 */
function decodeRle(text: string): number[] {
  const runs: number[] = [];
  for (let at = 0; at < text.length; ) {
    let [value, shift, more] = [0, 0, true];
    while (more) {
      const bits = text.charCodeAt(at++) - 48;
      value += (bits & 0x1f) * 2 ** shift;
      more = (bits & 0x20) !== 0;
      shift += 5;
      if (!more && (bits & 0x10) !== 0) value -= 2 ** shift;
    }
    runs.push(runs.length > 2 ? value + runs[runs.length - 2] : value);
  }
  return runs;
}
