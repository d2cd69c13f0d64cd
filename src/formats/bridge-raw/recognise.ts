import { pictureFormat } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { Recognition } from '../shared/reader.ts';
import { trajectoryFolderOf } from './layout.ts';

/** Files looked into before a folder is given up. */
const looked = 8;
/** What may lie beside trajectories: anything else is some other recording, and the folder is asked of piece by piece. */
const beside =
  /(?:^|\/)(?:raw|traj_group\d+)\/|(?:^|\/)\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\/|(?:\.(?:json|txt|md|csv|png|py)|LICENSE)$/i;

/** Trajectories as BridgeData V2 names them, around a picture or a pickle that is one. */
export async function recogniseBridge(tree: SourceTree): Promise<Recognition | null> {
  let left = looked;
  for (const { path } of tree.files) {
    const folder = trajectoryFolderOf(path);
    if (folder === null || path.endsWith('.txt')) continue;
    const what = await whatIs(tree, path);
    if (what !== null && isBridge(tree, folder)) {
      const where = folder === '' ? 'this folder' : folder;
      return {
        format: 'bridge-raw',
        evidence: [`${where} is laid out as a trajectory of BridgeData`, `${path} starts as ${what}`],
        files: null,
      };
    }
    if (--left === 0) return null;
  }
  return null;
}

/** A lone trajectory must have its pickle: folders of numbered pictures are common. */
function isBridge(tree: SourceTree, folder: string): boolean {
  if (folder === '') return tree.has('obs_dict.pkl') || tree.has('policy_out.pkl');
  return tree.files.every(({ path }) => trajectoryFolderOf(path) !== null || beside.test(path));
}

async function whatIs(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, 16).catch(() => new Uint8Array());
  if (path.endsWith('.pkl')) return head[0] === 0x80 ? 'a Python pickle' : null;
  const format = pictureFormat(head);
  return format === null ? null : format;
}
