import type { SourceTree } from '#io/sources';
import { isHdf5 } from '../shared/hdf5-file.ts';
import type { Recognition } from '../shared/reader.ts';
import { episodeFolderOf } from './layout.ts';

/** Maximum number of candidate files that are probed before the folder is rejected. */
const maxProbedFiles = 8;
/** Bytes that are probed; metadata has about 2 KB. */
const headBytes = 4096;

/**
 * Recognises DROID by its folder layout and metadata with its keys, or an HDF5 trajectory beside recordings; `null` if
 * none of the first `maxProbedFiles` candidates fits.
 */
export async function recogniseDroid(tree: SourceTree): Promise<Recognition | null> {
  let remaining = maxProbedFiles;
  for (const { path } of tree.files) {
    const folder = episodeFolderOf(path);
    if (folder === null || path.includes('/SVO/') || path.endsWith('.mp4')) continue;
    const evidence = path.endsWith('.json')
      ? await metadataEvidence(tree, path)
      : await trajectoryEvidence(tree, folder, path);
    if (evidence !== null) return { format: 'droid', evidence: [evidence], files: null };
    if (--remaining === 0) return null;
  }
  return null;
}

async function metadataEvidence(tree: SourceTree, path: string): Promise<string | null> {
  const head = new TextDecoder().decode(await tree.head(path, headBytes).catch(() => new Uint8Array()));
  const keys = ['uuid', 'hdf5_path', 'trajectory_length', 'wrist_cam_serial'];
  const foundKeys = keys.filter((key) => head.includes(`"${key}"`));
  return foundKeys.length >= 3 ? `${path} has ${foundKeys.join(', ')}` : null;
}

/**
 * Returns evidence from trajectory.h5, for recordings that lack metadata: the folder must be named as DROID names it or
 * have recordings/ beside the file. `null` otherwise.
 */
async function trajectoryEvidence(tree: SourceTree, folder: string, path: string): Promise<string | null> {
  const isNamed = folder !== '' || tree.files.some((file) => file.path.startsWith('recordings/'));
  if (!isNamed || !(await isHdf5(tree, path).catch(() => false))) return null;
  const where = folder === '' ? 'next to recordings/' : 'in a folder named like a DROID episode';
  return `${path} has the HDF5 signature, ${where}`;
}
