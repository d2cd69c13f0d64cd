import { OddityCount, type OddityTable } from '../../shared/pictures/oddity-count.ts';
import { type CocoRule, cocoBreach } from '../rules.ts';

/** A kind of oddity that breaks a rule of pycocotools: its severity and advice are the rule's. */
function ruled(rule: CocoRule, what: string): OddityTable<string>[string] {
  const { severity, advice } = cocoBreach(rule, null, what);
  return [severity, what, advice];
}

/** What can be odd about a COCO file. */
const kinds = {
  image_incomplete: ['error', 'images have no file name', 'complete or drop them'],
  image_without_id: ruled('coco_image_without_id', 'images have no id'),
  image_id_twice: ruled('coco_image_id_twice', 'image ids occur more than once; the last one wins'),
  category_without_id: ruled('coco_category_without_id', 'categories have no id'),
  category_unknown: ruled(
    'coco_category_unknown',
    'annotations name a category that the file does not define',
  ),
  annotation_without_category: ruled('coco_annotation_without_category', 'annotations have no category_id'),
  annotation_without_image: ruled('coco_annotation_without_image', 'annotations name no image'),
  image_unknown: ruled('coco_image_unknown', 'annotations belong to an image that the file does not list'),
  annotation_without_id: ruled('coco_annotation_without_id', 'annotations have no id'),
  annotation_id_text: ruled('coco_annotation_id_text', 'annotation ids are text; evaluation refuses them'),
  annotation_id_zero: ruled(
    'coco_annotation_id_zero',
    'annotations have the id 0, which evaluation takes for no match: average precision drops without an error',
  ),
  annotation_id_twice: ruled(
    'coco_annotation_id_twice',
    'annotation ids occur more than once: the last annotation is given for each of them',
  ),
  area_missing: ruled('coco_area_missing', 'annotations have no area; evaluation stops with a KeyError'),
  iscrowd_missing: ruled(
    'coco_iscrowd_missing',
    'annotations have no iscrowd; evaluation stops with a KeyError',
  ),
  mask_empty: ruled('coco_mask_empty', 'annotations have an empty segmentation: boxes only'),
  polygon_malformed: ruled(
    'coco_polygon_malformed',
    'polygons have fewer than three corners or an odd count of numbers; four numbers are taken for a box',
  ),
  mask_malformed: ruled('coco_mask_malformed', 'masks have no size or no counts'),
  mask_size_swapped: ruled(
    'coco_mask_size_swapped',
    'masks give their size as [width, height]: they decode into other pictures without an error',
  ),
  mask_size_other: ruled('coco_mask_size_other', 'masks have another size than their image'),
  box_malformed: ruled('coco_box_malformed', 'boxes are not four numbers'),
  box_empty: ruled('coco_box_empty', 'boxes have no area'),
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
