import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { episodePictures, episodeSplit, pictureSize } from '../shared/write/episode-pictures.ts';
import type { ExportWriter, OpenWriter, WriterOptions, WrittenSet } from '../shared/write/export-format.ts';
import { withWriteErrors } from '../shared/write/output-files.ts';
import type { ExportEpisode } from '../shared/write/set/export-episode.ts';
import { AnnotationFile } from './write-annotation-file.ts';
import { Predictions } from './write-predictions.ts';

/**
 * Opens a writer of a COCO set: `images/SPLIT` and `annotations/instances_SPLIT.json` with the labels of the
 * recordings. What annotation layers found is written to separate files, `predictions/LAYER_SPLIT.json`.
 */
export const openCoco: OpenWriter = async (options) => new CocoWriter(options);

class CocoWriter implements ExportWriter {
  readonly #options: WriterOptions;
  readonly #splits = new Map<string, AnnotationFile>();
  readonly #categories = new Map<string, number>();
  readonly #predictions: Predictions;
  #pictures = 0;
  #annotations = 0;
  #unboxed = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#predictions = new Predictions(options);
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
      const about = { id: ++this.#pictures, file_name: name, width, height };
      const image = { ...about, episode: episode.episode.id, camera, frame: index, time_s };
      await file.image(image);
      for (const box of this.#boxes(episode)) await file.annotation({ ...box, image_id: image.id });
      await this.#predictions.add(split, image, episode.annotated, `${stream} ${index}`);
      if (image.id % 32 === 0) onStep();
    }
  }

  async finish(): Promise<WrittenSet> {
    const categories = [...this.#categories].map(([name, id]) => ({ id, name, supercategory: '' }));
    for (const file of this.#splits.values()) await file.finish(categories);
    await this.#predictions.finish(this.#categories);
    const edits = [...this.#options.plan.edits, ...this.#unboxedEdits(), ...this.#predictions.edits()];
    return { rows: this.#pictures, edits };
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

  #category(name: string): number {
    const id = this.#categories.get(name) ?? this.#categories.size + 1;
    this.#categories.set(name, id);
    return id;
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
