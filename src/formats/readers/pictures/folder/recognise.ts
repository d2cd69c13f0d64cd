import type { SourceTree } from '#sources';
import type { Recognition } from '../../../reader.ts';
import { pictureFiles } from '../picture-names.ts';

/** Pictures that belong to nothing else, with the tables of metadata beside them. */
export async function recognisePictures(tree: SourceTree): Promise<Recognition | null> {
  const found = await pictureFiles(tree);
  if (found === null) return null;
  const sidecars = tree.files.filter((file) => /(^|\/)metadata\.(jsonl|csv)$/i.test(file.path));
  return {
    format: 'pictures',
    evidence: [`${found.files.length} picture files; first bytes of ${found.formats.join(', ')}`],
    files: [...found.files, ...sidecars].map((file) => file.path),
  };
}
