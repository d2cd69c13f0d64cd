import type { FormatReader } from '../shared/reader.ts';

/** Reader of COCO annotations. */
export const cocoReader: FormatReader = {
  id: 'coco',
  title: 'COCO annotations',
  about:
    'A folder with COCO JSON files (at the top level, in annotations/ or in the split folders) next to images. Each image is one episode with boxes, categories and captions. Annotation files are streamed, so their size does not matter. Masks are validated but not decoded.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseCoco(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openCoco(tree, recognition),
};
