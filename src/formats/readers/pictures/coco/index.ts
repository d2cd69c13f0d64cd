import type { FormatReader } from '../../../reader.ts';
import { isCalledPicture } from '../picture-names.ts';
import { annotationFiles } from './annotation-files.ts';

export const cocoReader: FormatReader = {
  id: 'coco',
  title: 'COCO annotations',
  about:
    'A folder with COCO JSON (in it, in annotations/ or in the folders of its splits) beside pictures, one picture an episode, with boxes, categories and captions. Annotation files are read record by record, whatever their size. Masks are checked for form and not decoded.',
  scope: 'folder',
  async recognise(tree) {
    if (!tree.files.some((file) => /\.json$/i.test(file.path))) return null;
    if (!tree.files.some((file) => isCalledPicture(file.path))) return null;
    const found = await annotationFiles(tree);
    if (found.length === 0) return null;
    return {
      format: 'coco',
      evidence: evidenceOf(found),
      files: null,
    };
  },
  open: async (tree, recognition) => (await import('./open.ts')).openCoco(tree, recognition),
};

const named = 4;

function evidenceOf(found: readonly string[]): string[] {
  const evidence = found
    .slice(0, named)
    .map((path) => `${path} holds lists of images, annotations and categories`);
  if (found.length > named) evidence.push(`${found.length - named} more such files`);
  return evidence;
}
