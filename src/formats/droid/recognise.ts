import type { SourceTree } from '#io/sources';
import { isHdf5 } from '../shared/hdf5-file.ts';
import type { Recognition } from '../shared/reader.ts';
import { episodeFolderOf } from './layout.ts';

/** Files looked into before a folder is given up. */
const looked = 8;
/** Metadata takes some two kilobytes. */
const headBytes = 4096;

/** Folders as DROID lays them out, around metadata that says what DROID's says, or a trajectory beside recordings. */
export async function recogniseDroid(tree: SourceTree): Promise<Recognition | null> {
  let left = looked;
  for (const { path } of tree.files) {
    const folder = episodeFolderOf(path);
    if (folder === null || path.includes('/SVO/') || path.endsWith('.mp4')) continue;
    const evidence = path.endsWith('.json')
      ? await metadataEvidence(tree, path)
      : await trajectoryEvidence(tree, folder, path);
    if (evidence !== null) return { format: 'droid', evidence: [evidence], files: null };
    if (--left === 0) return null;
  }
  return null;
}

async function metadataEvidence(tree: SourceTree, path: string): Promise<string | null> {
  const head = new TextDecoder().decode(await tree.head(path, headBytes).catch(() => new Uint8Array()));
  const keys = ['uuid', 'hdf5_path', 'trajectory_length', 'wrist_cam_serial'];
  const found = keys.filter((key) => head.includes(`"${key}"`));
  return found.length >= 3 ? `${path} has ${found.join(', ')}` : null;
}

/** The metadata of an incomplete recording may be what it lacks; its folder's name tells it, or what lies beside. */
async function trajectoryEvidence(tree: SourceTree, folder: string, path: string): Promise<string | null> {
  const isNamed = folder !== '' || tree.files.some((file) => file.path.startsWith('recordings/'));
  if (!isNamed || !(await isHdf5(tree, path).catch(() => false))) return null;
  const where = folder === '' ? 'and recordings/ lies beside it' : 'in a folder named as DROID names them';
  return `${path} starts with the HDF5 signature, ${where}`;
}
