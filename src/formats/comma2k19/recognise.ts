import type { SourceTree } from '#io/sources';
import { isNpy } from '../shared/arrays/npy-header.ts';
import type { Recognition } from '../shared/reader.ts';
import { segmentFolderOf } from './segment-files.ts';

/** Maximum number of candidate arrays that are probed before the folder is rejected. */
const maxProbedFiles = 8;

/**
 * Recognises comma2k19 by its folder names and the signature of a NumPy array in a segment; `null` if none of the first
 * `maxProbedFiles` candidates fits.
 */
export async function recogniseComma(tree: SourceTree): Promise<Recognition | null> {
  let remaining = maxProbedFiles;
  for (const { path } of tree.files) {
    const folder = segmentFolderOf(path);
    if (folder === null) continue;
    if (isNpy(await tree.head(path, 6).catch(() => new Uint8Array()))) {
      const where = folder === '' ? 'this folder' : folder;
      return {
        format: 'comma2k19',
        evidence: [
          `${where} has the processed_log/ or global_pose/ folder of a segment`,
          `${path} starts like a NumPy array`,
        ],
        files: null,
      };
    }
    if (--remaining === 0) return null;
  }
  return null;
}
