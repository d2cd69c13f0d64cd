import type { SourceTree } from '#io/sources';
import { isCalledPicture } from '../../shared/pictures/picture-names.ts';
import type { Recognition } from '../../shared/reader.ts';
import { annotationFiles } from './annotation-files.ts';

/** Pictures with JSON around them that lists images, annotations and categories. */
export async function recogniseCoco(tree: SourceTree): Promise<Recognition | null> {
  if (!tree.files.some((file) => /\.json$/i.test(file.path))) return null;
  if (!tree.files.some((file) => isCalledPicture(file.path))) return null;
  const found = await annotationFiles(tree);
  if (found.length === 0) return null;
  return {
    format: 'coco',
    evidence: evidenceOf(found),
    files: null,
  };
}

const named = 4;

function evidenceOf(found: readonly string[]): string[] {
  const evidence = found
    .slice(0, named)
    .map((path) => `${path} holds lists of images, annotations and categories`);
  if (found.length > named) evidence.push(`${found.length - named} more such files`);
  return evidence;
}
