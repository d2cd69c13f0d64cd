import type { PictureLabel } from '#core/episode';
import { childrenNamed, childText, parseXml, type XmlElement } from '../../shared/text/xml.ts';
import {
  boundingBox,
  boxFrom,
  ellipseBox,
  type LabelFile,
  type LabelFormat,
  sizeOf,
} from './label-format.ts';

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

/**
 * CVAT for images 1.1: `image` elements with shapes and tags
 * (https://docs.cvat.ai/docs/manual/advanced/xml_format/). Tracks of videos are not read.
 */
export const cvatFormat: LabelFormat = {
  title: 'CVAT',
  extension: '.xml',
  signs: [/<annotations[\s>]/, /<image\s/],
  parse: (text, path) => {
    const root = parseXml(text, path);
    const skipped = new Set(childrenNamed(root, 'track').length > 0 ? ['track'] : []);
    const pictures = childrenNamed(root, 'image').map((image): LabelFile['pictures'][number] => ({
      name: pictureName(image),
      size_px: sizeOf(image.attributes.width, image.attributes.height),
      labels: image.children.flatMap((shape) => readShape(shape, skipped)),
      captions: [],
    }));
    return { pictures, skipped };
  },
};

/** Returns the name of a picture with the folder of its subset, which an export of a project has. */
function pictureName({ attributes }: XmlElement): string | null {
  const name = attributes.name ?? null;
  const subset = attributes.subset ?? '';
  return name === null || subset === '' || name.startsWith(`${subset}/`) ? name : `${subset}/${name}`;
}

const shapes: ReadonlySet<string> = new Set([
  'box',
  'polygon',
  'polyline',
  'points',
  'ellipse',
  'cuboid',
  'mask',
  'skeleton',
  'tag',
]);

function readShape(shape: XmlElement, skipped: Set<string>): PictureLabel[] {
  if (!shapes.has(shape.name)) {
    skipped.add(shape.name);
    return [];
  }
  return [{ category: shape.attributes.label ?? '', box_px: shapeBox(shape) }];
}

function shapeBox({ name, attributes, children }: XmlElement): PictureLabel['box_px'] {
  const number = (key: string) => Number(attributes[key] || Number.NaN);
  switch (name) {
    case 'tag':
      return null;
    case 'box':
      return turnedBox(
        boxFrom(number('xtl'), number('ytl'), number('xbr') - number('xtl'), number('ybr') - number('ytl')),
        Number(attributes.rotation ?? 0),
      );
    case 'ellipse':
      return ellipseBox(
        number('cx'),
        number('cy'),
        [number('rx'), number('ry')],
        Number(attributes.rotation ?? 0),
      );
    case 'mask':
      return boxFrom(number('left'), number('top'), number('width'), number('height'));
    case 'skeleton':
      return pointsBox(children.map((point) => point.attributes.points ?? ''));
    case 'cuboid': {
      const corners = Object.entries(attributes).filter(([key]) => /^[xy][tb][lr][12]$/.test(key));
      const along = (axis: string) =>
        corners.flatMap(([key, text]) => (key[0] === axis ? [Number(text)] : []));
      return boundingBox(along('x'), along('y'));
    }
    default:
      return pointsBox([attributes.points ?? '']);
  }
}

/** Returns the bounding box of a box that is turned by an angle in degrees about its centre. */
function turnedBox(box: PictureLabel['box_px'], turned_deg: number): PictureLabel['box_px'] {
  if (box === null || turned_deg === 0) return box;
  const [x, y, width, height] = box;
  const [cos, sin] = [Math.cos, Math.sin].map((of) => Math.abs(of((turned_deg * Math.PI) / 180)));
  const [across, down] = [width * cos + height * sin, width * sin + height * cos];
  return boxFrom(x + (width - across) / 2, y + (height - down) / 2, across, down);
}

/** Returns the bounding box of texts such as `1.5,2;3,4`. */
function pointsBox(texts: readonly string[]): PictureLabel['box_px'] {
  const points = texts.flatMap((text) => text.split(';')).filter((text) => text.trim() !== '');
  const pairs = points.map((text) => text.split(',').map(Number));
  return boundingBox(
    pairs.map(([x]) => x),
    pairs.map(([, y]) => y),
  );
}
