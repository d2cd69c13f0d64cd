import type { CocoFile } from './read-annotations.ts';

/** Pixels by which a box may pass the edge: rounding, and end-inclusive boxes. */
const edge = 1;

/** What can be said only once images, categories and annotations of a file were all read. */
export function judgeAnnotations(file: CocoFile): void {
  const { oddities } = file;
  let normalised = 0;
  let boxes = 0;
  for (let i = 0; i < file.image.length; i++) {
    const image = file.images.get(file.image.at(i));
    const id = String(file.imageIds.names[file.image.at(i)]);
    if (image === undefined) oddities.add('image_unknown', `image ${id}`);
    const category = file.category.at(i);
    if (category < 0) oddities.add('annotation_without_category', `image ${id}`);
    else if (!file.categories.has(category))
      oddities.add('category_unknown', String(file.categoryIds.names[category]));
    const [x, y, width, height] = [0, 1, 2, 3].map((k) => file.box.at(4 * i + k));
    if (Number.isNaN(x)) continue;
    boxes++;
    if (Math.max(x, y, width, height) <= 1 && width > 0) normalised++;
    if (!(width > 0 && height > 0)) oddities.add('box_empty', `image ${id}`);
    else if (
      image !== undefined &&
      (x < -edge || y < -edge || x + width > image.width + edge || y + height > image.height + edge)
    )
      oddities.add('box_outside', image.file_name);
  }
  if (boxes > 0 && normalised === boxes) oddities.add('box_normalised', `all ${boxes}`);
  for (const image of file.captions.keys()) {
    if (!file.images.has(image)) oddities.add('image_unknown', `image ${file.imageIds.names[image]}`);
  }
  judgeMasks(file);
}

function judgeMasks({ masks, images, oddities }: CocoFile): void {
  for (const { name, image, width, height } of masks) {
    const size = images.get(image);
    if (size === undefined || (size.width === width && size.height === height)) continue;
    const swapped = size.width === height && size.height === width;
    oddities.add(swapped ? 'mask_size_swapped' : 'mask_size_other', name);
  }
}
