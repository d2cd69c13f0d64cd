import type { FormatReader } from '../shared/reader.ts';

/** Reader of YOLO labels. */
export const yoloReader: FormatReader = {
  id: 'yolo',
  title: 'YOLO labels',
  about:
    'Images with one label file (text) each, found like Ultralytics does (images/ → labels/, or next to the image), with data.yaml, classes.txt or obj.names for the classes. Each image is one episode. Boxes, polygons, keypoints and oriented boxes are read as their bounding box, in pixels of the stored image. An image without labels counts as background. Every line is checked when the dataset is opened.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseYolo(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openYolo(tree, recognition),
};
