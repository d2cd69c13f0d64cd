import { appendFile, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { episodePictures, episodeSplit, pictureSize } from '../../shared/write/episode-pictures.ts';
import type {
  ExportWriter,
  OpenWriter,
  WriterOptions,
  WrittenSet,
} from '../../shared/write/export-format.ts';
import { withWriteErrors } from '../../shared/write/output-files.ts';
import type { ExportEpisode } from '../../shared/write/set/export-episode.ts';
import type { LayerDetection, PictureMask } from '../../shared/write/set/judgement.ts';

type Size = readonly [height_px: number, width_px: number];

/** Opens a writer of a COCO set: `images/SPLIT` and `annotations/instances_SPLIT.json`. */
export const openCoco: OpenWriter = async (options) => new CocoWriter(options);

class CocoWriter implements ExportWriter {
  readonly #options: WriterOptions;
  readonly #splits = new Map<string, AnnotationFile>();
  readonly #categories = new Map<string, number>();
  #pictures = 0;
  #annotations = 0;
  #unboxed = 0;
  #unfitting = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async add(episode: ExportEpisode): Promise<void> {
    const { folder, plan, signal, onStep } = this.#options;
    const split = episodeSplit(episode);
    const file = await this.#split(split);
    for await (const { name, file: picture, camera, stream, index, time_s } of episodePictures(
      episode,
      plan,
    )) {
      signal.throwIfAborted();
      const path = join(folder, 'images', split, name);
      await withWriteErrors(path, writeFile(path, picture.bytes));
      const [width, height] = await pictureSize(picture.bytes, name);
      const image_id = ++this.#pictures;
      const about = { id: image_id, file_name: name, width, height };
      await file.image({ ...about, episode: episode.episode.id, camera, frame: index, time_s });
      const key = `${stream} ${index}`;
      const masks = this.#masks(episode.annotated?.masks.get(key) ?? [], [height, width]);
      const objects = this.#objects(episode.annotated?.sightings.object_labels?.at.get(key) ?? [], [
        height,
        width,
      ]);
      for (const annotation of [...this.#boxes(episode), ...objects, ...masks])
        await file.annotation({ ...annotation, image_id });
      if (image_id % 32 === 0) onStep();
    }
  }

  async finish(): Promise<WrittenSet> {
    const categories = [...this.#categories].map(([name, id]) => ({ id, name, supercategory: '' }));
    for (const file of this.#splits.values()) await file.finish(categories);
    return { rows: this.#pictures, edits: [...this.#options.plan.edits, ...this.#droppedLabelEdits()] };
  }

  async close(): Promise<void> {}

  #boxes({ episode: { labels } }: ExportEpisode): JsonObject[] {
    return (labels ?? []).flatMap(({ category, box_px }) => {
      const category_id = this.#category(category);
      if (box_px === null) this.#unboxed++;
      if (box_px === null) return [];
      const [, , width, height] = box_px;
      const id = ++this.#annotations;
      return [{ id, category_id, bbox: [...box_px], area: width * height, iscrowd: 0, segmentation: [] }];
    });
  }

  /** Returns annotations of the detections of layer `object_labels`, with masks where available. */
  #objects(objects: readonly LayerDetection[], size: Size): JsonObject[] {
    return objects.flatMap(({ label, score, box, mask, size_px: [width, height] }) => {
      if (label === null || box === null) return [];
      const category_id = this.#category(label);
      if (!this.#matchesSize([height, width], size)) return [];
      const [, , box_width, box_height] = box;
      const area = mask === null ? box_width * box_height : countRlePixels(mask.counts);
      const segmentation = mask === null ? [] : { size: [...mask.size], counts: mask.counts };
      const id = ++this.#annotations;
      return [{ id, category_id, bbox: [...box], area, iscrowd: 0, segmentation, score }];
    });
  }

  /** Returns annotations of the class masks of layer `segmentation`. */
  #masks(masks: readonly PictureMask[], size: Size): JsonObject[] {
    return masks.flatMap(({ label, pixels, rle }) => {
      const category_id = this.#category(label);
      if (!this.#matchesSize(rle.size, size) || pixels === 0) return [];
      const id = ++this.#annotations;
      const segmentation = { size: [...rle.size], counts: rle.counts };
      const bbox = computeRleBox(rle.counts, rle.size);
      return [{ id, category_id, bbox, area: pixels, iscrowd: 0, segmentation }];
    });
  }

  /**
   * True if the annotation has the picture's size; others are counted and left out, since their pixels cannot be
   * matched.
   */
  #matchesSize(annotationSize: Size, size: Size): boolean {
    const fits = annotationSize[0] === size[0] && annotationSize[1] === size[1];
    if (!fits) this.#unfitting++;
    return fits;
  }

  #category(name: string): number {
    const id = this.#categories.get(name) ?? this.#categories.size + 1;
    this.#categories.set(name, id);
    return id;
  }

  #droppedLabelEdits(): JsonObject[] {
    return [...this.#unboxedEdits(), ...this.#unfittingEdits()];
  }

  #unfittingEdits(): JsonObject[] {
    if (this.#unfitting === 0) return [];
    const reason = `${this.#unfitting} masks and boxes were left out because they were made for images of another size`;
    return [{ edit: 'drop_labels', feature: 'annotations', reason }];
  }

  #unboxedEdits(): JsonObject[] {
    if (this.#unboxed === 0) return [];
    const reason = `${this.#unboxed} image-level labels have no box, which COCO detection requires; only their categories are listed`;
    return [{ edit: 'drop_labels', feature: 'labels', reason }];
  }

  async #split(split: string): Promise<AnnotationFile> {
    const existing = this.#splits.get(split);
    if (existing !== undefined) return existing;
    const { folder } = this.#options;
    for (const subfolder of [join(folder, 'images', split), join(folder, 'annotations')])
      await withWriteErrors(subfolder, mkdir(subfolder, { recursive: true }));
    const created = await AnnotationFile.open(join(folder, 'annotations', `instances_${split}.json`));
    this.#splits.set(split, created);
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

/** Characters buffered before they are written. */
const maxBufferedChars = 1 << 18;

/** Writes one annotation file with bounded memory: annotations go to a temporary file first. */
class AnnotationFile {
  readonly #path: string;
  readonly #images: JsonLineWriter;
  readonly #annotations: JsonLineWriter;

  private constructor(path: string) {
    this.#path = path;
    this.#images = new JsonLineWriter(path);
    this.#annotations = new JsonLineWriter(`${path}.partial`);
  }

  static async open(path: string): Promise<AnnotationFile> {
    await withWriteErrors(path, writeFile(path, '{"images": ['));
    await withWriteErrors(path, writeFile(`${path}.partial`, ''));
    return new AnnotationFile(path);
  }

  image(image: JsonObject): Promise<void> {
    return this.#images.add(image);
  }

  annotation(annotation: JsonObject): Promise<void> {
    return this.#annotations.add(annotation);
  }

  async finish(categories: readonly JsonObject[]): Promise<void> {
    await this.#images.flush();
    await this.#annotations.flush();
    const path = this.#path;
    await withWriteErrors(path, appendFile(path, '\n], "annotations": ['));
    await using from = await open(`${path}.partial`);
    for await (const piece of from.createReadStream({ autoClose: false }))
      await withWriteErrors(path, appendFile(path, piece));
    await withWriteErrors(path, appendFile(path, `\n], "categories": ${JSON.stringify(categories)}}\n`));
    await rm(`${path}.partial`);
  }
}

/** Writes the objects of a JSON list, one per line. */
class JsonLineWriter {
  readonly #path: string;
  #text = '';
  #count = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async add(object: JsonObject): Promise<void> {
    this.#text += `${this.#count++ === 0 ? '' : ','}\n${JSON.stringify(object)}`;
    if (this.#text.length > maxBufferedChars) await this.flush();
  }

  async flush(): Promise<void> {
    await withWriteErrors(this.#path, appendFile(this.#path, this.#text));
    this.#text = '';
  }
}
