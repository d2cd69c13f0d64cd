import type { SourceTree } from '#io/sources';
import type { Recognition } from '../shared/reader.ts';
import { driveFolderOf, startsWithTime } from './layout.ts';

/** Maximum number of timestamp files that are probed before the folder is rejected. */
const maxProbedFiles = 8;

/**
 * Recognises KITTI raw by its folder names and a timestamps.txt with times in KITTI's format; `null` if none of the
 * first `maxProbedFiles` candidates fits.
 */
export async function recogniseKitti(tree: SourceTree): Promise<Recognition | null> {
  let remaining = maxProbedFiles;
  for (const { path } of tree.files) {
    if (!path.endsWith('timestamps.txt') || driveFolderOf(path) === null) continue;
    const head = new TextDecoder().decode(await tree.head(path, 4096).catch(() => new Uint8Array()));
    if (startsWithTime(head)) {
      return {
        format: 'kitti-raw',
        evidence: [
          `${driveFolderOf(path) || 'this folder'} has sensor folders of a drive`,
          `${path} has timestamps in the KITTI format`,
        ],
        files: null,
      };
    }
    if (--remaining === 0) return null;
  }
  return null;
}
