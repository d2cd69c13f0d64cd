import { OddityCount, type OddityTable } from '../oddity-count.ts';

/** What can be odd about a COCO file. Facts: pycocotools 2.0. */
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
} as const satisfies OddityTable<string>;

export type Oddity = keyof typeof kinds;

export class Oddities extends OddityCount<Oddity> {
  constructor() {
    super('coco', kinds);
  }
}
