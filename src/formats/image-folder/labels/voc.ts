import type { PictureLabel } from '#core/episode';
import { childrenNamed, childText, parseXml, type XmlElement } from '../../shared/text/xml.ts';
import { boundingBox, boxFrom, type LabelFormat, sizeOf } from './label-format.ts';

/**
 * Pascal VOC: one XML for a picture, with `object`s in boxes of inclusive corners
 * (http://host.robots.ox.ac.uk/pascal/VOC/voc2012/htmldoc/). A box becomes its left and top corner with right - left and
 * bottom - top, as most readers do.
 */
export const vocFormat: LabelFormat = {
  title: 'Pascal VOC',
  extension: '.xml',
  signs: [/<annotation[\s>]/, /<(object|filename|size)[\s>]/],
  parse: (text, path) => {
    const root = parseXml(text, path);
    const [size] = childrenNamed(root, 'size');
    const labels = childrenNamed(root, 'object').flatMap(readObject);
    const size_px = size === undefined ? null : sizeOf(childText(size, 'width'), childText(size, 'height'));
    const name = childText(root, 'filename');
    return {
      pictures: [{ name: name === '' ? null : name, size_px, labels, captions: [] }],
      skipped: new Set(),
    };
  },
};

/** Returns the label of an object, followed by those of its parts; none for one that was deleted. */
function readObject(object: XmlElement): PictureLabel[] {
  if (childText(object, 'deleted') === '1') return [];
  return [
    { category: childText(object, 'name') ?? '', box_px: objectBox(object) },
    ...childrenNamed(object, 'part').flatMap(readObject),
  ];
}

/** Returns the box of an object: its `bndbox`, or the bounding box of the `polygon` that LabelMe's XML has instead. */
function objectBox(object: XmlElement): PictureLabel['box_px'] {
  const number = (element: XmlElement, name: string) => Number(childText(element, name) || Number.NaN);
  const [box] = childrenNamed(object, 'bndbox');
  if (box === undefined) {
    const points = childrenNamed(object, 'polygon').flatMap((polygon) => childrenNamed(polygon, 'pt'));
    return boundingBox(
      points.map((point) => number(point, 'x')),
      points.map((point) => number(point, 'y')),
    );
  }
  const [left, top] = [number(box, 'xmin'), number(box, 'ymin')];
  return boxFrom(left, top, number(box, 'xmax') - left, number(box, 'ymax') - top);
}
