import type { FormatReader } from '../shared/reader.ts';

/** Reader of YOLO labels. */
export const yoloReader: FormatReader = {
  id: 'yolo',
  title: 'YOLO labels',
  about:
    'Pictures with a text file of labels each, found as Ultralytics finds them (images/ → labels/, or beside the picture), with data.yaml, classes.txt or obj.names for the classes; one picture an episode. Lines of boxes, outlines, key points and turned boxes are read as the box around them, in pixels of the stored picture. A picture without labels counts as background. Every line is checked when the set is opened.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseYolo(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openYolo(tree, recognition),
};
