import type { SourceTree } from '#io/sources';
import { pictureFiles } from '../../shared/pictures/picture-names.ts';
import type { Recognition } from '../../shared/reader.ts';

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
