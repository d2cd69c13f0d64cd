import type { JsonObject, JsonValue } from '#core';
import type { SourceRef } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { IssueCounter, type IssueTable } from '../shared/finding-lists.ts';
import { IdTable, NumberColumn } from '../shared/numbers.ts';
import { type JsonRecords, readJsonRecords } from '../shared/text/json-records.ts';
import { type CocoRule, cocoFinding } from './rules.ts';

interface CocoImage {
  readonly file_name: string;
  /** Size in px; NaN if not given. */
  readonly width: number;
  readonly height: number;
}

/** An annotation file in columns. Images and categories are numbered in order of first use. */
export interface CocoFile {
  readonly path: string;
  readonly source: SourceRef;
  readonly records: JsonRecords;
  readonly images: ReadonlyMap<number, CocoImage>;
  readonly imageIds: IdTable;
  readonly categories: ReadonlyMap<number, string>;
  readonly categoryIds: IdTable;
  /** Labels: image number, category number (-1 for none) and four numbers of the box (NaN without one). */
  readonly image: NumberColumn;
  readonly category: NumberColumn;
  readonly box: NumberColumn;
  /** Captions by image number. */
  readonly captions: ReadonlyMap<number, readonly string[]>;
  /** Run-length masks with their declared size. */
  readonly masks: readonly {
    readonly name: string;
    readonly image: number;
    readonly height: number;
    readonly width: number;
  }[];
  readonly issues: CocoIssues;
}

/**
 * Reads an annotation file record by record into columns; records without an id or file name are skipped, and counted
 * as issues with examples.
 */
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
  readonly imageIds = new IdTable();
  readonly categories = new Map<number, string>();
  readonly categoryIds = new IdTable();
  readonly image = new NumberColumn();
  readonly category = new NumberColumn();
  readonly box = new NumberColumn();
  readonly captions = new Map<number, readonly string[]>();
  readonly issues = new CocoIssues();
  readonly masks: { name: string; image: number; height: number; width: number }[] = [];
  readonly annotationIds = new Set<number | string>();

  take(list: string, record: JsonObject): void {
    if (list === 'images') this.#image(record);
    else if (list === 'categories') this.#category(record);
    else if (list === 'annotations') this.#annotation(record);
  }

  #image(record: JsonObject): void {
    const id = idOf(record.id);
    if (id === null || typeof record.file_name !== 'string') {
      this.issues.add(
        id === null ? 'image_without_id' : 'image_incomplete',
        JSON.stringify(record).slice(0, 80),
      );
      return;
    }
    const number = this.imageIds.assign(id);
    if (this.images.has(number)) this.issues.add('image_id_twice', String(id));
    this.images.set(number, {
      file_name: record.file_name,
      width: numberOf(record.width),
      height: numberOf(record.height),
    });
  }

  #category(record: JsonObject): void {
    const id = idOf(record.id);
    if (id === null) {
      this.issues.add('category_without_id', String(record.name));
      return;
    }
    this.categories.set(this.categoryIds.assign(id), String(record.name ?? ''));
  }

  #annotation(record: JsonObject): void {
    const imageId = idOf(record.image_id);
    if (imageId === null) {
      this.issues.add('annotation_without_image', String(record.id));
      return;
    }
    const image = this.imageIds.assign(imageId);
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
      this.issues.add('annotation_without_id', String(id));
      return;
    }
    if (typeof key === 'string') this.issues.add('annotation_id_text', key);
    if (key === 0) this.issues.add('annotation_id_zero', '0');
    if (this.annotationIds.has(key)) this.issues.add('annotation_id_twice', String(key));
    this.annotationIds.add(key);
  }

  #fields(record: JsonObject): void {
    const name = `annotation ${String(record.id)}`;
    if (record.area === undefined) this.issues.add('area_missing', name);
    if (record.iscrowd === undefined) this.issues.add('iscrowd_missing', name);
    const { segmentation } = record;
    if (Array.isArray(segmentation)) {
      if (segmentation.length === 0) this.issues.add('mask_empty', name);
      else if (segmentation.some((ring) => !Array.isArray(ring) || ring.length < 6 || ring.length % 2 === 1))
        this.issues.add('polygon_malformed', name);
    } else if (isObject(segmentation)) this.#mask(name, record, segmentation);
  }

  #mask(name: string, record: JsonObject, mask: JsonObject): void {
    const size = Array.isArray(mask.size) ? mask.size.map(Number) : [];
    if (size.length !== 2 || mask.counts === undefined) {
      this.issues.add('mask_malformed', name);
      return;
    }
    const image = this.imageIds.assign(idOf(record.image_id)!);
    this.masks.push({ name, image, height: size[0], width: size[1] });
  }

  #label(image: number, record: JsonObject): void {
    const category = idOf(record.category_id ?? null);
    this.image.push(image);
    this.category.push(category === null ? -1 : this.categoryIds.assign(category));
    const box = Array.isArray(record.bbox) ? record.bbox.map(Number) : [];
    const whole = box.length === 4 && box.every(Number.isFinite);
    if (record.bbox !== undefined && !whole && box.length > 0)
      this.issues.add('box_malformed', `annotation ${String(record.id)}`);
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

/** Returns an issue kind for a rule of pycocotools, with the rule's severity and advice. */
function ruleIssue(rule: CocoRule, what: string): IssueTable<string>[string] {
  const { severity, advice } = cocoFinding(rule, null, what);
  return [severity, what, advice];
}

/** Issue kinds of COCO files. */
const issueTable = {
  image_incomplete: ['error', 'images have no file name', 'complete or delete them'],
  image_without_id: ruleIssue('coco_image_without_id', 'images have no id'),
  image_id_twice: ruleIssue(
    'coco_image_id_twice',
    'image ids are not unique; the last image with an id is used',
  ),
  category_without_id: ruleIssue('coco_category_without_id', 'categories have no id'),
  category_unknown: ruleIssue(
    'coco_category_unknown',
    'annotations have a category that the file does not define',
  ),
  annotation_without_category: ruleIssue(
    'coco_annotation_without_category',
    'annotations have no category_id',
  ),
  annotation_without_image: ruleIssue('coco_annotation_without_image', 'annotations have no image_id'),
  image_unknown: ruleIssue(
    'coco_image_unknown',
    'annotations belong to an image that the file does not list',
  ),
  annotation_without_id: ruleIssue('coco_annotation_without_id', 'annotations have no id'),
  annotation_id_text: ruleIssue(
    'coco_annotation_id_text',
    'annotations have a string as id; evaluation fails on them',
  ),
  annotation_id_zero: ruleIssue(
    'coco_annotation_id_zero',
    'annotations have the id 0, which evaluation treats as no match: average precision drops without an error',
  ),
  annotation_id_twice: ruleIssue(
    'coco_annotation_id_twice',
    'annotation ids are not unique: the last annotation with an id replaces the others',
  ),
  area_missing: ruleIssue('coco_area_missing', 'annotations have no area; evaluation fails with a KeyError'),
  iscrowd_missing: ruleIssue(
    'coco_iscrowd_missing',
    'annotations have no iscrowd; evaluation fails with a KeyError',
  ),
  mask_empty: ruleIssue(
    'coco_mask_empty',
    'annotations have an empty segmentation, so only their boxes can be used',
  ),
  polygon_malformed: ruleIssue(
    'coco_polygon_malformed',
    'polygons have fewer than three points or an odd number of coordinates; four numbers are read as a box',
  ),
  mask_malformed: ruleIssue('coco_mask_malformed', 'masks have no size or no counts'),
  mask_size_swapped: ruleIssue(
    'coco_mask_size_swapped',
    'masks have their size as [width, height], which gives wrong masks without an error',
  ),
  mask_size_other: ruleIssue('coco_mask_size_other', 'masks have a different size than their image'),
  box_malformed: ruleIssue('coco_box_malformed', 'boxes are not four numbers'),
  box_empty: ruleIssue('coco_box_empty', 'boxes have zero area'),
  box_outside: [
    'warning',
    'boxes reach beyond the edge of their image',
    'clip the boxes; check that they are [x, y, width, height], not corner coordinates',
  ],
  box_normalised: [
    'error',
    'boxes lie within 0..1: probably normalised coordinates, not pixels',
    'multiply by the width and height of the image',
  ],
} as const satisfies IssueTable<string>;

/** Kind of a COCO issue. */
export type CocoIssue = keyof typeof issueTable;

/** Issue counter of a COCO file. */
export class CocoIssues extends IssueCounter<CocoIssue> {
  constructor() {
    super('coco', issueTable);
  }
}
