import type { PlantedFormat } from './plant.ts';
import { greyPng } from './png.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Parts {
  readonly image?: Fields;
  readonly category?: Fields;
  readonly annotation?: Fields;
}

/** Two pictures with two boxes each; what is given goes over the second of each list. */
function set({ image, category, annotation }: Parts = {}) {
  const images = [1, 2].map((id) => ({ id, file_name: `${id}.png`, width: 64, height: 48 }));
  const categories = [1, 2].map((id) => ({ id, name: `thing ${id}` }));
  const annotations = [1, 2, 3, 4].map((id) => ({
    ...{ id, image_id: 1 + (id % 2), category_id: 1, bbox: [3 + id, 5, 10, 12], area: 120, iscrowd: 0 },
    segmentation: [[3 + id, 5, 13 + id, 5, 13 + id, 17, 3 + id, 17]],
  }));
  Object.assign(images[1], image);
  Object.assign(categories[1], category);
  Object.assign(annotations[1], annotation);
  const text = JSON.stringify({ images, annotations, categories });
  return { 'annotations.json': text, '1.png': greyPng(64, 48), '2.png': greyPng(64, 48) };
}

const edited = (rule: string, edit: (text: string) => string | Buffer) => {
  const files = set();
  return { rule, episode: null, files: { ...files, 'annotations.json': edit(files['annotations.json']) } };
};
/** Text that Python's json refuses. */
const spoiled = (spoil: (text: string) => string | Buffer) => edited('coco_json_refused', spoil);

const of = (rule: string, parts: Parts) => ({ rule, episode: null, files: set(parts) });
const annotated = (rule: string, annotation: Fields) => of(rule, { annotation });
const mask = (size: number[], counts: number[]) => ({ segmentation: { size, counts }, iscrowd: 1 });

export const cocoPlants: PlantedFormat = {
  title: 'COCO annotations',
  sound: set({ annotation: mask([48, 64], [200, 50, 64 * 48 - 250]) }),
  plants: [
    spoiled((text) => `\ufeff${text}`),
    spoiled((text) => Buffer.from(text.replace('thing 2', 'th\u00efng 2'), 'latin1')),
    spoiled((text) => text.replace('}],"annotations"', '},],"annotations"')),
    spoiled((text) => text.replace('"id":2,"name"', '"id":2,,"name"')),
    spoiled((text) => text.slice(0, -1)),
    spoiled((text) => `${text}}`),
    spoiled((text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
    edited('coco_list_twice', (text) =>
      text.replace('"categories"', '"categories":[{"id":9,"name":"thing 9"}],"categories"'),
    ),
    of('coco_image_without_id', { image: { id: undefined } }),
    of('coco_image_id_twice', { image: { id: 1 } }),
    of('coco_category_without_id', { category: { id: undefined } }),
    annotated('coco_category_unknown', { category_id: 9 }),
    annotated('coco_annotation_without_category', { category_id: undefined }),
    annotated('coco_annotation_without_image', { image_id: undefined }),
    annotated('coco_image_unknown', { image_id: 9 }),
    annotated('coco_annotation_without_id', { id: undefined }),
    annotated('coco_annotation_id_text', { id: 'second' }),
    annotated('coco_annotation_id_zero', { id: 0 }),
    annotated('coco_annotation_id_twice', { id: 1 }),
    annotated('coco_area_missing', { area: undefined }),
    annotated('coco_iscrowd_missing', { iscrowd: undefined }),
    annotated('coco_mask_empty', { segmentation: [] }),
    annotated('coco_polygon_malformed', { segmentation: [[1, 2, 3, 4]] }),
    annotated('coco_mask_malformed', { segmentation: { counts: [200, 50] } }),
    annotated('coco_mask_size_swapped', mask([64, 48], [200, 50, 64 * 48 - 250])),
    annotated('coco_mask_size_other', mask([10, 10], [20, 5, 75])),
    annotated('coco_box_malformed', { bbox: [1, 2, 3] }),
    annotated('coco_box_empty', { bbox: [5, 5, 0, 12] }),
  ],
};
