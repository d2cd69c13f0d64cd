import type { SourceTree } from '#io/sources';
import { pictureFiles } from '../../shared/picture-dataset.ts';
import type { Recognition } from '../../shared/reader.ts';

/** Recognises pictures that no other reader claimed, with their metadata files; `null` if there are none. */
export async function recognisePictures(tree: SourceTree): Promise<Recognition | null> {
  const found = await pictureFiles(tree);
  if (found === null) return null;
  const sidecars = tree.files.filter((file) => /(^|\/)metadata\.(jsonl|csv)$/i.test(file.path));
  return {
    format: 'pictures',
    evidence: [
      `${found.files.length} image files; detected by their first bytes: ${found.formats.join(', ')}`,
    ],
    files: [...found.files, ...sidecars].map((file) => file.path),
  };
}
