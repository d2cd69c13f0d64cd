import type { SourceTree } from '#io/sources';
import { isNpy } from '../shared/numpy/npy-header.ts';
import type { Recognition } from '../shared/reader.ts';
import { segmentFolderOf } from './segment-files.ts';

/** Arrays looked into before a folder is given up. */
const looked = 8;

/** Folders named as comma2k19 names them, around a file that starts as a NumPy array does. */
export async function recogniseComma(tree: SourceTree): Promise<Recognition | null> {
  let left = looked;
  for (const { path } of tree.files) {
    const folder = segmentFolderOf(path);
    if (folder === null) continue;
    if (isNpy(await tree.head(path, 6).catch(() => new Uint8Array()))) {
      const where = folder === '' ? 'this folder' : folder;
      return {
        format: 'comma2k19',
        evidence: [
          `${where} holds processed_log/ or global_pose/ of a segment`,
          `${path} starts as a NumPy array`,
        ],
        files: null,
      };
    }
    if (--left === 0) return null;
  }
  return null;
}
