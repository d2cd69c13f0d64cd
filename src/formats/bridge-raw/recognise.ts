import { pictureFormat } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { Recognition } from '../shared/reader.ts';
import { trajectoryFolderOf } from './layout.ts';

/** Maximum number of candidate files that are probed before the folder is rejected. */
const maxProbedFiles = 8;
/**
 * Files that may lie beside trajectories. Any other file means that the folder holds other data, too, and its
 * subfolders are probed one by one.
 */
const allowedNeighbour =
  /(?:^|\/)(?:raw|traj_group\d+)\/|(?:^|\/)\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\/|(?:\.(?:json|txt|md|csv|png|py)|LICENSE)$/i;

/**
 * Recognises BridgeData V2 by its folder names and the signature of an image or a pickle in a trajectory; `null` if
 * none of the first `maxProbedFiles` candidates fits, or other files lie beside them.
 */
export async function recogniseBridge(tree: SourceTree): Promise<Recognition | null> {
  let remaining = maxProbedFiles;
  for (const { path } of tree.files) {
    const folder = trajectoryFolderOf(path);
    if (folder === null || path.endsWith('.txt')) continue;
    const content = await identifyContent(tree, path);
    if (content !== null && hasBridgeLayout(tree, folder)) {
      const where = folder === '' ? 'this folder' : folder;
      return {
        format: 'bridge-raw',
        evidence: [`${where} has the layout of a BridgeData trajectory`, `${path} starts like ${content}`],
        files: null,
      };
    }
    if (--remaining === 0) return null;
  }
  return null;
}

/**
 * Returns true if every file of the tree fits the layout. A lone trajectory must have its pickle, since folders of
 * numbered images are common.
 */
function hasBridgeLayout(tree: SourceTree, folder: string): boolean {
  if (folder === '') return tree.has('obs_dict.pkl') || tree.has('policy_out.pkl');
  return tree.files.every(({ path }) => trajectoryFolderOf(path) !== null || allowedNeighbour.test(path));
}

async function identifyContent(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, 16).catch(() => new Uint8Array());
  if (path.endsWith('.pkl')) return head[0] === 0x80 ? 'a Python pickle' : null;
  return pictureFormat(head);
}
