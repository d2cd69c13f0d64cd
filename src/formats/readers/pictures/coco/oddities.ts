import type { Finding, Severity } from '#episode';

/** What can be odd about a COCO file: how grave, what happens because of it, what to do. Facts: pycocotools 2.0. */
const kinds = {
  image_incomplete: ['error', 'images have no id or no file name', 'complete or drop them'],
  image_id_twice: [
    'error',
    'image ids occur more than once; the last one wins',
    'give every image an id of its own',
  ],
  category_without_id: ['error', 'categories have no id', 'number the categories'],
  category_unknown: [
    'error',
    'annotations name a category that the file does not define',
    'add the categories, or correct the ids',
  ],
  annotation_without_image: ['error', 'annotations name no image', 'complete or drop them'],
  image_unknown: [
    'error',
    'annotations belong to an image that the file does not list',
    'add the images, or drop the annotations',
  ],
  annotation_without_id: ['error', 'annotations have no id', 'number the annotations from 1'],
  annotation_id_text: [
    'error',
    'annotation ids are text; evaluation refuses them',
    'number the annotations from 1',
  ],
  annotation_id_zero: [
    'warning',
    'annotations have the id 0, which evaluation takes for no match: average precision drops without an error',
    'number the annotations from 1',
  ],
  annotation_id_twice: [
    'error',
    'annotation ids occur more than once: average precision is 0 without an error',
    'number the annotations from 1',
  ],
  area_missing: [
    'warning',
    'annotations have no area; evaluation stops with a KeyError',
    'write width times height, or the area of the mask',
  ],
  iscrowd_missing: [
    'warning',
    'annotations have no iscrowd; evaluation stops with a KeyError',
    'write iscrowd 0',
  ],
  mask_empty: [
    'info',
    'annotations have an empty segmentation: boxes only',
    'nothing to do for detection; leave segmentation out',
  ],
  polygon_malformed: [
    'error',
    'polygons have fewer than three corners or an odd count of numbers; four numbers are taken for a box',
    'write at least six numbers a polygon',
  ],
  mask_malformed: ['error', 'masks have no size or no counts', 'write size [height, width] and counts'],
  mask_size_swapped: [
    'error',
    'masks give their size as [width, height]: average precision is 0 without an error',
    'write size as [height, width]',
  ],
  mask_size_other: [
    'error',
    'masks have another size than their image',
    'encode the masks at the size of the image',
  ],
  box_malformed: ['error', 'boxes are not four numbers', 'write [x, y, width, height] in pixels'],
  box_empty: ['warning', 'boxes have no area', 'drop them, or correct width and height'],
  box_outside: [
    'warning',
    'boxes reach outside of their image',
    'clip the boxes; check that they are [x, y, width, height] and not corners',
  ],
  box_normalised: [
    'error',
    'boxes lie within 0..1: they are shares of the image, not pixels',
    'multiply by width and height of the image',
  ],
} as const satisfies Record<string, readonly [Severity, string, string]>;

export type Oddity = keyof typeof kinds;

const examplesKept = 3;

/** Counts what is odd, with a few examples of each. */
export class Oddities {
  readonly #found = new Map<Oddity, { count: number; examples: string[] }>();

  add(kind: Oddity, example: string): void {
    const entry = this.#found.get(kind) ?? { count: 0, examples: [] };
    entry.count++;
    if (entry.examples.length < examplesKept) entry.examples.push(example);
    this.#found.set(kind, entry);
  }

  findings(path: string): Finding[] {
    const order = Object.keys(kinds) as Oddity[];
    return order.flatMap((kind) => {
      const found = this.#found.get(kind);
      if (found === undefined) return [];
      const [severity, what, advice] = kinds[kind];
      const more = found.count > found.examples.length ? ', …' : '';
      const message = `${path}: ${found.count} ${what} (${found.examples.join(', ')}${more})`;
      return [{ code: `coco_${kind}`, severity, path, message, advice, evidence: { count: found.count } }];
    });
  }
}
