import type { FormatReader } from '../../shared/reader.ts';

/** Reader of COCO annotations. */
export const cocoReader: FormatReader = {
  id: 'coco',
  title: 'COCO annotations',
  about:
    'A folder with COCO JSON (in it, in annotations/ or in the folders of its splits) beside pictures, one picture an episode, with boxes, categories and captions. Annotation files are read record by record, whatever their size. Masks are checked for form and not decoded.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseCoco(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openCoco(tree, recognition),
};
