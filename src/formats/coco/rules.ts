import {
  type Consequence,
  type Contract,
  type ContractRule,
  refusesSet,
  ruleFindings,
  servesWrongRows,
  trainsWorse,
  trainsWrong,
} from '../shared/rule.ts';

const loading = 'pycocotools';
const masks = 'pycocotools-masks';
const evaluation = 'pycocotools-evaluation';

/** Violations that only matter when masks are created or a model is evaluated on the set. */
const refusesRowsLater: Consequence = { reader: 'refuses_rows', severity: 'error' };
const refusesLater: Consequence = { reader: 'refuses_set', severity: 'error' };
const stopsLater: Consequence = { reader: 'refuses_set', severity: 'warning' };
const misjudgesLater: Consequence = { reader: 'serves_wrong_rows', severity: 'warning' };
const noMask: Consequence = { reader: 'refuses_rows', severity: 'info' };

const rules = [
  {
    id: 'coco_json_refused',
    holds:
      'Python can parse the file as JSON: complete, UTF-8 without a byte order mark, nothing after the end.',
    on: 'dataset',
    fix: true,
    consequences: { [loading]: refusesSet },
    advice: 'Run assay fix; restore the file from its source if it is cut.',
  },
  {
    id: 'coco_list_twice',
    holds:
      'The lists of images, annotations and categories are there once; of repeated lists Python keeps the last.',
    on: 'dataset',
    consequences: { [loading]: trainsWrong },
    advice: 'Merge the lists, or remove the earlier ones.',
  },
  {
    id: 'coco_image_without_id',
    holds: 'Every image has an id.',
    on: 'dataset',
    consequences: { [loading]: refusesSet },
    advice: 'Assign an id to every image.',
  },
  {
    id: 'coco_image_id_twice',
    holds: 'Image ids are unique.',
    on: 'dataset',
    consequences: { [loading]: servesWrongRows, [masks]: refusesRowsLater, [evaluation]: refusesLater },
    advice: 'Give every image a unique id.',
  },
  {
    id: 'coco_category_without_id',
    holds: 'Every category has an id.',
    on: 'dataset',
    consequences: { [loading]: refusesSet },
    advice: 'Assign an id to every category.',
  },
  {
    id: 'coco_category_unknown',
    holds: 'Annotations use categories that the file defines; others are never found by category.',
    on: 'dataset',
    consequences: { [loading]: trainsWrong },
    advice: 'Add the categories, or correct the ids.',
  },
  {
    id: 'coco_annotation_without_category',
    holds: 'Every annotation of a file with categories has a category_id.',
    on: 'dataset',
    consequences: { [loading]: refusesSet },
    advice: 'Complete or delete these annotations.',
  },
  {
    id: 'coco_annotation_without_image',
    holds: 'Every annotation has an image_id.',
    on: 'dataset',
    consequences: { [loading]: refusesSet },
    advice: 'Complete or delete these annotations.',
  },
  {
    id: 'coco_image_unknown',
    holds: 'Annotations belong to images that the file lists; others are never found by image.',
    on: 'dataset',
    consequences: { [loading]: trainsWrong, [masks]: refusesRowsLater, [evaluation]: refusesLater },
    advice: 'Add the images, or delete the annotations.',
  },
  {
    id: 'coco_annotation_without_id',
    holds: 'Every annotation has an id.',
    on: 'dataset',
    consequences: { [loading]: refusesSet },
    advice: 'Number the annotations from 1.',
  },
  {
    id: 'coco_annotation_id_text',
    holds: 'Annotation ids are numbers.',
    on: 'dataset',
    consequences: { [evaluation]: refusesLater },
    advice: 'Number the annotations from 1.',
  },
  {
    id: 'coco_annotation_id_zero',
    holds: 'No annotation has the id 0, which evaluation treats as no match.',
    on: 'dataset',
    consequences: { [evaluation]: misjudgesLater },
    advice: 'Number the annotations from 1.',
  },
  {
    id: 'coco_annotation_id_twice',
    holds:
      'Annotation ids are unique; otherwise the last annotation with an id is used for all, and precision drops.',
    on: 'dataset',
    consequences: { [loading]: servesWrongRows, [evaluation]: misjudgesLater },
    advice: 'Number the annotations from 1.',
  },
  {
    id: 'coco_area_missing',
    holds: 'Every annotation has an area.',
    on: 'dataset',
    consequences: { [evaluation]: stopsLater },
    advice: 'Set area to width times height, or to the area of the mask.',
  },
  {
    id: 'coco_iscrowd_missing',
    holds: 'Every annotation has iscrowd.',
    on: 'dataset',
    consequences: { [evaluation]: stopsLater },
    advice: 'Set iscrowd to 0.',
  },
  {
    id: 'coco_mask_empty',
    holds: 'No segmentation is an empty list, which gives no mask.',
    on: 'dataset',
    consequences: { [masks]: noMask },
    advice: 'Nothing to do for detection. Otherwise remove the empty segmentation.',
  },
  {
    id: 'coco_polygon_malformed',
    holds: 'A polygon has at least six numbers, and an even number of them.',
    on: 'dataset',
    consequences: { [masks]: refusesRowsLater },
    advice: 'Write an even number of coordinates, at least six per polygon.',
  },
  {
    id: 'coco_mask_malformed',
    holds: 'A mask has size and counts.',
    on: 'dataset',
    consequences: { [masks]: refusesRowsLater },
    advice: 'Write size [height, width] and counts.',
  },
  {
    id: 'coco_mask_size_swapped',
    holds: 'The size of a mask is [height, width].',
    on: 'dataset',
    consequences: { [masks]: servesWrongRows },
    advice: 'Write size as [height, width].',
  },
  {
    id: 'coco_mask_size_other',
    holds: 'A mask has the same size as its image.',
    on: 'dataset',
    consequences: { [masks]: servesWrongRows },
    advice: 'Encode the masks at the size of the image.',
  },
  {
    id: 'coco_box_malformed',
    holds: 'A box is four numbers.',
    on: 'dataset',
    consequences: { [evaluation]: refusesLater },
    advice: 'Write [x, y, width, height] in pixels.',
  },
  {
    id: 'coco_box_empty',
    holds: 'A box has a nonzero area; otherwise it is never matched.',
    on: 'dataset',
    consequences: { [loading]: trainsWorse, [evaluation]: misjudgesLater },
    advice: 'Delete these boxes, or correct width and height.',
  },
] as const satisfies readonly ContractRule[];

/** Contract of pycocotools: COCO, annToMask and COCOeval, run on a set against itself. */
export const cocoContract: Contract = {
  format: 'coco',
  title: 'COCO annotations',
  readers: [
    { id: loading, title: 'pycocotools', release: '2.0.11, opening and looking up annotations' },
    { id: masks, title: 'pycocotools, masks', release: '2.0.11, annToMask' },
    { id: evaluation, title: 'pycocotools, evaluation', release: '2.0.11, COCOeval' },
  ],
  rules,
};

/** Creates the finding of a violated COCO rule. */
export const cocoFinding = ruleFindings(rules, loading);
/** Id of a COCO rule. */
export type CocoRule = (typeof rules)[number]['id'];
