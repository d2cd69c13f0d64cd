/** Writes the inputs of the cases beside it: `node test/conformance/pictures/generate.ts`. */
import { join } from 'node:path';
import { type CaseFiles, tinyPng, writeCase } from '../../support/case-files.ts';

const write = (name: string, files: CaseFiles) => writeCase(join(import.meta.dirname, name, 'input'), files);
const pictures = { 'images/a.png': tinyPng, 'images/b.png': tinyPng, 'images/c.png': tinyPng };

// https://www.robots.ox.ac.uk/~vgg/software/via/docs/: a project of version 2, and the regions by number of version 1.
const region = (shape_attributes: object, region_attributes: object) => ({ shape_attributes, region_attributes });
const rectangle = { name: 'rect', x: 10, y: 20, width: 30, height: 40 };
await write('via', {
  ...pictures,
  'project.json': {
    _via_settings: { core: { buffer_size: 18 } },
    _via_img_metadata: {
      'a.png67': {
        ...{ filename: 'a.png', size: 67, file_attributes: { caption: 'a cup on a table' } },
        regions: [
          region(rectangle, { class: 'cup' }),
          region({ name: 'circle', cx: 50, cy: 60, r: 5 }, { class: 'ball' }),
          region({ name: 'ellipse', cx: 50, cy: 60, rx: 8, ry: 4, theta: 0 }, { class: 'plate' }),
          region({ name: 'polygon', all_points_x: [1, 9, 5], all_points_y: [2, 2, 8] }, { type: { box: true, lid: true } }),
          region({ name: 'point', cx: 3, cy: 4 }, { colour: 'red' }),
        ],
      },
      'gone.png1': { filename: 'gone.png', size: 1, regions: [], file_attributes: {} },
    },
  },
  'images/old.json': {
    'b.png67': {
      ...{ fileref: '', size: 67, filename: 'b.png', base64_img_data: '', file_attributes: {} },
      regions: { 0: region(rectangle, { class: 'cup' }) },
    },
  },
});

// https://github.com/wkentaro/labelme: one JSON for each picture.
const shape = (label: string, shape_type: string, points: number[][]) => ({
  ...{ label, points, group_id: null, description: '', shape_type, flags: {}, mask: null },
});
const labelme = (imagePath: string, shapes: object[], flags = {}) => ({
  ...{ version: '5.5.0', flags, shapes, imagePath, imageData: null, imageHeight: 480, imageWidth: 640 },
});
await write('labelme', {
  ...pictures,
  'images/a.json': labelme(
    'a.png',
    [
      shape('cup', 'rectangle', [[40, 60], [10, 20]]),
      shape('lid', 'polygon', [[1, 2], [9, 2], [5, 8]]),
      shape('ball', 'circle', [[50, 60], [53, 64]]),
      shape('tip', 'point', [[3, 4]]),
    ],
    { sharp: true, dark: false },
  ),
  'labels/b.json': labelme('..\\images\\b.png', []),
});

// https://labelstud.io/guide/task_format: positions are per cent of the picture.
const result = (type: string, value: object) => ({
  ...{ id: type, type, from_name: 'label', to_name: 'image', original_width: 200, original_height: 100, value },
});
const box = { x: 10, y: 20, width: 30, height: 40, rotation: 0 };
await write('label-studio', {
  ...pictures,
  'export.json': [
    {
      id: 1,
      data: { image: '/data/upload/3/0a1b2c3d-a.png' },
      annotations: [
        { id: 1, was_cancelled: true, result: [] },
        {
          ...{ id: 2, was_cancelled: false },
          result: [
            result('rectanglelabels', { ...box, rectanglelabels: ['cup'] }),
            result('rectanglelabels', { ...box, rotation: 90, rectanglelabels: ['turned'] }),
            result('polygonlabels', { points: [[10, 10], [20, 10], [15, 30]], polygonlabels: ['lid'] }),
            result('ellipselabels', { x: 50, y: 50, radiusX: 10, radiusY: 20, rotation: 0, ellipselabels: ['plate'] }),
            result('keypointlabels', { x: 50, y: 50, width: 1, keypointlabels: ['tip'] }),
            result('brushlabels', { format: 'rle', rle: [0, 1], brushlabels: ['stain'] }),
            result('choices', { choices: ['kitchen'] }),
            result('textarea', { text: ['a cup on a table'] }),
            result('rating', { rating: 4 }),
          ],
        },
      ],
    },
    { id: 2, data: { image: '/data/local-files/?d=images%2Fb.png' }, annotations: [] },
    { id: 3, data: { image: 's3://bucket/images/c.png?token=1' }, completions: [{ result: [] }] },
  ],
});

// http://host.robots.ox.ac.uk/pascal/VOC/voc2012/htmldoc/: one XML for each picture.
const voc = (filename: string, objects: string) =>
  `<?xml version="1.0"?>\n<annotation>\n<folder>VOC</folder><filename>${filename}</filename>` +
  `<size><width>640</width><height>480</height><depth>3</depth></size><segmented>0</segmented>${objects}</annotation>\n`;
const bndbox = '<bndbox><xmin>10</xmin><ymin>20</ymin><xmax>40</xmax><ymax>60</ymax></bndbox>';
await write('voc', {
  'JPEGImages/a.png': tinyPng,
  'JPEGImages/b.png': tinyPng,
  'JPEGImages/c.png': tinyPng,
  'Annotations/a.xml': voc(
    'a.png',
    `<object><name>cup &amp; lid</name><difficult>0</difficult>${bndbox}<part><name>handle</name>${bndbox}</part></object><!-- <object/> --><object><name>spoon</name><deleted>0</deleted><polygon><pt><x>1</x><y>2</y></pt><pt><x>9</x><y>8</y></pt></polygon></object><object><name>fork</name><deleted>1</deleted></object>`,
  ),
  // Named by a file that is not there: then like its picture.
  'Annotations/b.xml': voc('IMG_1.JPG', ''),
  'Annotations/c.xml': '<annotation><filename>c.png</filename><object>',
});

// https://docs.cvat.ai/docs/manual/advanced/xml_format/: CVAT for images 1.1.
await write('cvat', {
  ...pictures,
  'annotations.xml':
    '<?xml version="1.0" encoding="utf-8"?>\n<annotations><version>1.1</version><meta><task><name>cups</name></task></meta>\n' +
    '<image id="0" name="images/a.png" width="640" height="480">\n' +
    '<box label="turned" xtl="0" ytl="10" xbr="20" ybr="20" rotation="90.0"/><box label="cup" source="manual" occluded="0" xtl="10.5" ytl="20" xbr="40" ybr="60" z_order="0"><attribute name="colour">red</attribute></box>\n' +
    '<polygon label="lid" points="1,2;9,2;5,8"/><polyline label="edge" points="0,0;4,3"/><points label="tip" points="3,4"/>\n' +
    '<ellipse label="plate" cx="50" cy="60" rx="8" ry="4" rotation="90"/><mask label="stain" rle="1,2" left="5" top="6" width="7" height="8"/>\n' +
    '<cuboid label="box" xtl1="1" ytl1="1" xbl1="1" ybl1="9" xtr1="5" ytr1="1" xbr1="5" ybr1="9" xtl2="7" ytl2="0" xbl2="7" ybl2="8" xtr2="8" ytr2="0" xbr2="8" ybr2="8"/>\n' +
    '<skeleton label="hand"><points label="0" points="1,1"/><points label="1" points="4,5"/></skeleton><tag label="kitchen"/>\n' +
    '</image>\n<image id="1" name="b.png" width="640" height="480"></image></annotations>\n',
});

// A project with subsets, and pictures of one name in several folders.
await write('cvat-project', {
  'images/Train/a.png': tinyPng,
  'images/Test/a.png': tinyPng,
  'images/Test/b.png': tinyPng,
  'images/Train/b.png': tinyPng,
  'annotations.xml':
    '<annotations><image id="0" name="a.png" subset="Train" width="9" height="9"><tag label="cup"/></image>' +
    '<image id="1" name="a.png" subset="Test" width="9" height="9"/><image id="2" name="b.png" width="9" height="9"/></annotations>',
});

// https://open-edge-platform.github.io/datumaro/: one JSON for a subset; an item without a path is named like its picture.
await write('datumaro', {
  'images/train/a.png': tinyPng,
  'images/train/b.png': tinyPng,
  'images/test/a.png': tinyPng,
  'annotations/train.json': {
    ...{ dm_format_version: '1.0', media_type: 2, infos: {} },
    categories: { label: { labels: [{ name: 'cup', parent: '' }, { name: 'lid', parent: 'cup' }] } },
    items: [
      {
        ...{ id: 'a', attr: {}, image: { path: 'a.png', size: [480, 640] } },
        annotations: [
          { id: 0, type: 'bbox', label_id: 0, group: 0, z_order: 0, bbox: [10, 20, 30, 40] },
          { id: 1, type: 'polygon', label_id: 1, points: [1, 2, 9, 2, 5, 8] },
          { id: 2, type: 'mask', label_id: 1, rle: { counts: 'x', size: [480, 640] } },
          { id: 3, type: 'label', label_id: 0 },
          { id: 4, type: 'caption', caption: 'a cup on a table' },
          { id: 5, type: 'cuboid_3d', label_id: 0 },
        ],
      },
      { id: 'b', annotations: [] },
    ],
  },
  'annotations/test.json': { categories: { label: { labels: [] } }, items: [{ id: 'a', annotations: [] }] },
});

// https://docs.supervisely.com/: one JSON for a picture, with its whole name.
const object = (classTitle: string, geometryType: string, exterior: number[][]) => ({
  ...{ id: 1, classId: 1, description: '', geometryType, tags: [], classTitle, points: { exterior, interior: [] } },
});
await write('supervisely', {
  'ds/img/a.png': tinyPng,
  'ds/img/b.png': tinyPng,
  'ds/ann/a.png.json': {
    ...{ description: '', tags: [{ name: 'kitchen', value: null }], size: { height: 480, width: 640 } },
    objects: [
      object('cup', 'rectangle', [[10, 20], [40, 60]]),
      object('lid', 'polygon', [[1, 2], [9, 2], [5, 8]]),
      { classTitle: 'stain', geometryType: 'bitmap', bitmap: { data: 'eJwB', origin: [5, 6] } },
    ],
  },
  'ds/ann/b.png.json': { description: '', tags: [], size: { height: 480, width: 640 }, objects: [] },
});
