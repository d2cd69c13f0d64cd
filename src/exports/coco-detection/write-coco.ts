import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#kernel';
import { writing } from '../files/writing.ts';
import { pictureSize } from '../pictures/encode-picture.ts';
import { episodePictures, splitOf } from '../pictures/episode-pictures.ts';
import type { ExportEpisode } from '../set/export-episode.ts';
import type { ExportWriter, OpenWriter, WriterOptions, WrittenSet } from '../set/export-writer.ts';
import { AnnotationFile } from './annotation-file.ts';
import { boxOfRle } from './box-of-rle.ts';

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
      const masks = this.#masks(episode.judgement, `${stream} ${place}`, [height, width]);
      for (const annotation of [...this.#boxes(episode), ...masks])
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

  /** The pixels of each class that the layer `segmentation` found in a picture. */
  #masks(
    judgement: ExportEpisode['judgement'],
    picture: string,
    [height, width]: readonly [number, number],
  ): JsonObject[] {
    return (judgement?.masks.get(picture) ?? []).flatMap(({ label, pixels, rle: { size, counts } }) => {
      const category_id = this.#category(label);
      // Of a picture of another size nobody knows which pixels they are.
      if (size[0] !== height || size[1] !== width) this.#unfitting++;
      if (size[0] !== height || size[1] !== width || pixels === 0) return [];
      const id = ++this.#annotations;
      const segmentation = { size: [...size], counts };
      return [{ id, category_id, bbox: boxOfRle(counts, size), area: pixels, iscrowd: 0, segmentation }];
    });
  }

  #category(name: string): number {
    const id = this.#categories.get(name) ?? this.#categories.size + 1;
    this.#categories.set(name, id);
    return id;
  }

  #without(): JsonObject[] {
    return [...this.#withoutBoxes(), ...this.#withoutMasks()];
  }

  #withoutMasks(): JsonObject[] {
    if (this.#unfitting === 0) return [];
    const reason = `${this.#unfitting} masks are of pictures of another size, and were left out`;
    return [{ edit: 'drop_labels', feature: 'segmentation', reason }];
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
