import type { SourceTree } from '#io/sources';
import type { Recognition } from '../shared/reader.ts';
import { driveOf } from './layout.ts';
import { startsWithTime } from './timestamps.ts';

/** Timestamp files looked into before a folder is given up. */
const looked = 8;

/** Folders named as KITTI names them, around a timestamps.txt that holds times as KITTI writes them. */
export async function recogniseKitti(tree: SourceTree): Promise<Recognition | null> {
  let left = looked;
  for (const { path } of tree.files) {
    if (!path.endsWith('timestamps.txt') || driveOf(path) === null) continue;
    const head = new TextDecoder().decode(await tree.head(path, 4096).catch(() => new Uint8Array()));
    if (startsWithTime(head)) {
      return {
        format: 'kitti-raw',
        evidence: [
          `${driveOf(path) || 'this folder'} holds sensors of a drive`,
          `${path} holds times as KITTI writes them`,
        ],
        files: null,
      };
    }
    if (--left === 0) return null;
  }
  return null;
}
