import { appendFile, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { writing } from '../../shared/write/files/writing.ts';
import { pictureSize } from '../../shared/write/pictures/encode-picture.ts';
import { episodePictures, splitOf } from '../../shared/write/pictures/episode-pictures.ts';
import type { ExportEpisode } from '../../shared/write/set/export-episode.ts';
import type {
  ExportWriter,
  OpenWriter,
  WriterOptions,
  WrittenSet,
} from '../../shared/write/set/export-writer.ts';
import type { PictureMask } from '../../shared/write/set/judgement.ts';
import type { Sighting } from '../../shared/write/set/sightings.ts';

type Size = readonly [height_px: number, width_px: number];

/** Opens a COCO set: `images/SPLIT`, and `annotations/instances_SPLIT.json` beside it. */
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
    const split = splitOf(episode);
    const file = await this.#split(split);
    for await (const { name, file: picture, camera, stream, place, time_s } of episodePictures(
      episode,
      plan,
    )) {
      signal.throwIfAborted();
      const path = join(folder, 'images', split, name);
      await writing(path, writeFile(path, picture.bytes));
      const [width, height] = await pictureSize(picture.bytes, name);
      const image_id = ++this.#pictures;
      const about = { id: image_id, file_name: name, width, height };
      await file.image({ ...about, episode: episode.episode.id, camera, frame: place, time_s });
      const key = `${stream} ${place}`;
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
    return { rows: this.#pictures, edits: [...this.#options.plan.edits, ...this.#without()] };
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

  /** What the layer `object_labels` found in a picture; an outline of it where it has one. */
  #objects(objects: readonly Sighting[], size: Size): JsonObject[] {
    return objects.flatMap(({ label, score, box, mask, size_px: [width, height] }) => {
      if (label === null || box === null) return [];
      const category_id = this.#category(label);
      if (!this.#fits([height, width], size)) return [];
      const [, , box_width, box_height] = box;
      const area = mask === null ? box_width * box_height : pixelsOfRle(mask.counts);
      const segmentation = mask === null ? [] : { size: [...mask.size], counts: mask.counts };
      const id = ++this.#annotations;
      return [{ id, category_id, bbox: [...box], area, iscrowd: 0, segmentation, score }];
    });
  }

  /** The pixels of each class that the layer `segmentation` found in a picture. */
  #masks(masks: readonly PictureMask[], size: Size): JsonObject[] {
    return masks.flatMap(({ label, pixels, rle }) => {
      const category_id = this.#category(label);
      if (!this.#fits(rle.size, size) || pixels === 0) return [];
      const id = ++this.#annotations;
      const segmentation = { size: [...rle.size], counts: rle.counts };
      const bbox = boxOfRle(rle.counts, rle.size);
      return [{ id, category_id, bbox, area: pixels, iscrowd: 0, segmentation }];
    });
  }

  /** Of a picture of another size nobody knows which pixels they are. */
  #fits(own: Size, size: Size): boolean {
    const fits = own[0] === size[0] && own[1] === size[1];
    if (!fits) this.#unfitting++;
    return fits;
  }

  #category(name: string): number {
    const id = this.#categories.get(name) ?? this.#categories.size + 1;
    this.#categories.set(name, id);
    return id;
  }

  #without(): JsonObject[] {
    return [...this.#withoutBoxes(), ...this.#withoutUnfitting()];
  }

  #withoutUnfitting(): JsonObject[] {
    if (this.#unfitting === 0) return [];
    const reason = `${this.#unfitting} masks and boxes are of pictures of another size, and were left out`;
    return [{ edit: 'drop_labels', feature: 'annotations', reason }];
  }

  #withoutBoxes(): JsonObject[] {
    if (this.#unboxed === 0) return [];
    const reason = `${this.#unboxed} labels of whole pictures have no box, and COCO detection holds boxes; their categories are listed`;
    return [{ edit: 'drop_labels', feature: 'labels', reason }];
  }

  async #split(split: string): Promise<AnnotationFile> {
    const known = this.#splits.get(split);
    if (known !== undefined) return known;
    const { folder } = this.#options;
    for (const own of [join(folder, 'images', split), join(folder, 'annotations')])
      await writing(own, mkdir(own, { recursive: true }));
    const made = await AnnotationFile.open(join(folder, 'annotations', `instances_${split}.json`));
    this.#splits.set(split, made);
    return made;
  }
}

/**
 * The rectangle around a mask in COCO's run lengths: x, y, width and height in px. `size`: height and width of the picture;
 * the mask has a pixel. As `rleFrString` of pycocotools' maskApi.c reads the text, column by column.
 */
function boxOfRle(
  counts: string,
  [height, width]: readonly [height_px: number, width_px: number],
): [x: number, y: number, width: number, height: number] {
  let [left, right, top, bottom] = [width, -1, height, -1];
  let at = 0;
  for (const [place, run] of runsOf(counts).entries()) {
    const [first, last] = [at, at + run - 1];
    at += run;
    if (place % 2 === 0 || run === 0) continue;
    const [from, to] = [Math.floor(first / height), Math.floor(last / height)];
    left = Math.min(left, from);
    right = Math.max(right, to);
    // A run over the end of a column reaches its bottom, and the next one's top.
    top = Math.min(top, from === to ? first % height : 0);
    bottom = Math.max(bottom, from === to ? last % height : height - 1);
  }
  return [left, top, right - left + 1, bottom - top + 1];
}

/** How many pixels such a mask has. */
const pixelsOfRle = (counts: string): number =>
  runsOf(counts).reduce((sum, run, place) => (place % 2 === 0 ? sum : sum + run), 0);

/** Runs outside and inside by turns. From the fourth on they are written as what they differ by from the last but one. */
function runsOf(text: string): number[] {
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

/** Characters that are held before they are written. */
const held_chars = 1 << 18;

/** Writes one annotation file with nothing held but some lines: annotations lie in a file of their own meanwhile. */
class AnnotationFile {
  readonly #path: string;
  readonly #images: Lines;
  readonly #annotations: Lines;

  private constructor(path: string) {
    this.#path = path;
    this.#images = new Lines(path);
    this.#annotations = new Lines(`${path}.partial`);
  }

  static async open(path: string): Promise<AnnotationFile> {
    await writing(path, writeFile(path, '{"images": ['));
    await writing(path, writeFile(`${path}.partial`, ''));
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
    await writing(path, appendFile(path, '\n], "annotations": ['));
    await using from = await open(`${path}.partial`);
    for await (const piece of from.createReadStream({ autoClose: false }))
      await writing(path, appendFile(path, piece));
    await writing(path, appendFile(path, `\n], "categories": ${JSON.stringify(categories)}}\n`));
    await rm(`${path}.partial`);
  }
}

/** Objects of a list, one a line. */
class Lines {
  readonly #path: string;
  #text = '';
  #count = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async add(object: JsonObject): Promise<void> {
    this.#text += `${this.#count++ === 0 ? '' : ','}\n${JSON.stringify(object)}`;
    if (this.#text.length > held_chars) await this.flush();
  }

  async flush(): Promise<void> {
    await writing(this.#path, appendFile(this.#path, this.#text));
    this.#text = '';
  }
}
