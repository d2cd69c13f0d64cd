import type { JsonObject, JsonValue } from '#core';
import type { SourceRef } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { Ids, NumberColumn } from '../../shared/number-column.ts';
import { type JsonRecords, readJsonRecords } from '../../shared/text/json-records.ts';
import { Oddities } from './oddities.ts';

interface CocoImage {
  readonly file_name: string;
  /** px; NaN where not given. */
  readonly width: number;
  readonly height: number;
}

/** One annotation file in columns. Images and categories are numbered in the order they are met. */
export interface CocoFile {
  readonly path: string;
  readonly source: SourceRef;
  readonly records: JsonRecords;
  readonly images: ReadonlyMap<number, CocoImage>;
  readonly imageIds: Ids;
  readonly categories: ReadonlyMap<number, string>;
  readonly categoryIds: Ids;
  /** Labels: image number, category number (-1 for none), and four numbers of the box, NaN without one. */
  readonly image: NumberColumn;
  readonly category: NumberColumn;
  readonly box: NumberColumn;
  /** Sentences, by image number. */
  readonly captions: ReadonlyMap<number, readonly string[]>;
  /** Run-length masks, by the size they give themselves. */
  readonly masks: readonly {
    readonly name: string;
    readonly image: number;
    readonly height: number;
    readonly width: number;
  }[];
  readonly oddities: Oddities;
}

/** Reads an annotation file record by record; what is odd about single records is counted, with examples. */
export async function readAnnotations(tree: SourceTree, path: string): Promise<CocoFile> {
  const reader = new AnnotationReader();
  const records = await readJsonRecords(tree, path, (list, record) => {
    if (isObject(record)) reader.take(list, record);
  });
  const bytes = tree.entry(path)?.bytes ?? 0;
  return { path, source: { path, bytes, sha256: records.sha256, role: 'annotation' }, records, ...reader };
}

class AnnotationReader {
  readonly images = new Map<number, CocoImage>();
  readonly imageIds = new Ids();
  readonly categories = new Map<number, string>();
  readonly categoryIds = new Ids();
  readonly image = new NumberColumn();
  readonly category = new NumberColumn();
  readonly box = new NumberColumn();
  readonly captions = new Map<number, readonly string[]>();
  readonly oddities = new Oddities();
  readonly masks: { name: string; image: number; height: number; width: number }[] = [];
  readonly seen = new Set<number | string>();

  take(list: string, record: JsonObject): void {
    if (list === 'images') this.#image(record);
    else if (list === 'categories') this.#category(record);
    else if (list === 'annotations') this.#annotation(record);
  }

  #image(record: JsonObject): void {
    const id = idOf(record.id);
    if (id === null || typeof record.file_name !== 'string') {
      this.oddities.add(
        id === null ? 'image_without_id' : 'image_incomplete',
        JSON.stringify(record).slice(0, 80),
      );
      return;
    }
    const number = this.imageIds.number(id);
    if (this.images.has(number)) this.oddities.add('image_id_twice', String(id));
    this.images.set(number, {
      file_name: record.file_name,
      width: numberOf(record.width),
      height: numberOf(record.height),
    });
  }

  #category(record: JsonObject): void {
    const id = idOf(record.id);
    if (id === null) {
      this.oddities.add('category_without_id', String(record.name));
      return;
    }
    this.categories.set(this.categoryIds.number(id), String(record.name ?? ''));
  }

  #annotation(record: JsonObject): void {
    const imageId = idOf(record.image_id);
    if (imageId === null) {
      this.oddities.add('annotation_without_image', String(record.id));
      return;
    }
    const image = this.imageIds.number(imageId);
    if (typeof record.caption === 'string') {
      this.captions.set(image, [...(this.captions.get(image) ?? []), record.caption]);
      this.#id(record);
      return;
    }
    if (Array.isArray(record.segments_info)) {
      for (const segment of record.segments_info) if (isObject(segment)) this.#label(image, segment);
      return;
    }
    this.#id(record);
    if (record.bbox !== undefined || record.segmentation !== undefined) this.#fields(record);
    this.#label(image, record);
  }

  #id({ id }: JsonObject): void {
    const key = idOf(id ?? null);
    if (key === null) {
      this.oddities.add('annotation_without_id', String(id));
      return;
    }
    if (typeof key === 'string') this.oddities.add('annotation_id_text', key);
    if (key === 0) this.oddities.add('annotation_id_zero', '0');
    if (this.seen.has(key)) this.oddities.add('annotation_id_twice', String(key));
    this.seen.add(key);
  }

  #fields(record: JsonObject): void {
    const name = `annotation ${String(record.id)}`;
    if (record.area === undefined) this.oddities.add('area_missing', name);
    if (record.iscrowd === undefined) this.oddities.add('iscrowd_missing', name);
    const { segmentation } = record;
    if (Array.isArray(segmentation)) {
      if (segmentation.length === 0) this.oddities.add('mask_empty', name);
      else if (segmentation.some((ring) => !Array.isArray(ring) || ring.length < 6 || ring.length % 2 === 1))
        this.oddities.add('polygon_malformed', name);
    } else if (isObject(segmentation)) this.#mask(name, record, segmentation);
  }

  #mask(name: string, record: JsonObject, mask: JsonObject): void {
    const size = Array.isArray(mask.size) ? mask.size.map(Number) : [];
    if (size.length !== 2 || mask.counts === undefined) {
      this.oddities.add('mask_malformed', name);
      return;
    }
    const image = this.imageIds.number(idOf(record.image_id)!);
    this.masks.push({ name, image, height: size[0], width: size[1] });
  }

  #label(image: number, record: JsonObject): void {
    const category = idOf(record.category_id ?? null);
    this.image.push(image);
    this.category.push(category === null ? -1 : this.categoryIds.number(category));
    const box = Array.isArray(record.bbox) ? record.bbox.map(Number) : [];
    const whole = box.length === 4 && box.every(Number.isFinite);
    if (record.bbox !== undefined && !whole && box.length > 0)
      this.oddities.add('box_malformed', `annotation ${String(record.id)}`);
    for (let i = 0; i < 4; i++) this.box.push(whole ? box[i] : Number.NaN);
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idOf(value: JsonValue | undefined): number | string | null {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : Number.NaN;
}
