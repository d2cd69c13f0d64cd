import type { SourceTree } from '#io/sources';
import { pictureFiles } from '../shared/picture-dataset.ts';
import type { Recognition } from '../shared/reader.ts';
import { findLabelFiles } from './labels/find-label-files.ts';

/** Recognises pictures that no other reader claimed, with their metadata and label files; `null` if there are none. */
export async function recognisePictures(tree: SourceTree): Promise<Recognition | null> {
  const found = await pictureFiles(tree);
  if (found === null) return null;
  const sidecars = tree.files.filter((file) => /(^|\/)metadata\.(jsonl|csv)$/i.test(file.path));
  const labels = await findLabelFiles(tree, found.files);
  const titles = [...new Set(labels.map(({ format }) => format.title))];
  return {
    format: 'pictures',
    evidence: [
      `${found.files.length} image files; detected by their first bytes: ${found.formats.join(', ')}`,
      ...(labels.length === 0
        ? []
        : [
            `${labels.length} label ${labels.length === 1 ? 'file' : 'files'}, by contents: ${titles.join(', ')}`,
          ]),
    ],
    files: [...found.files, ...sidecars, ...labels].map(({ path }) => path),
  };
}
