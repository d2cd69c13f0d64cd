import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../../shared/divide-folders.ts';
import { isHdf5 } from '../../shared/hdf5-file.ts';
import type { DividedRecognition, Recognition } from '../../shared/reader.ts';

/** Names under which HDF5 is met; a lone file is looked at whatever its name. */
const plausible = /\.(h5|hdf5|hdf|he5|h5py)$|(^|\/)[^.]*$/i;
const atOnce = 32;

/** Takes every file that starts as HDF5 does; how it is laid out is seen on opening. */
export async function recogniseHdf5(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const isLone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path }) =>
    isLone || misnamed?.has(path) || plausible.test(path) ? [path] : [],
  );
  const files: string[] = [];
  for (let from = 0; from < candidates.length; from += atOnce) {
    const batch = candidates.slice(from, from + atOnce);
    const are = await Promise.all(batch.map((path) => isHdf5(tree, path).catch(() => false)));
    files.push(...batch.filter((_, i) => are[i]));
  }
  return files.length === 0 ? null : recognition(files);
}

/** One dataset a folder; folders of a single file count with the others of the folder above. */
export function divideHdf5(whole: Recognition): readonly DividedRecognition[] {
  return divideByFolder(whole, () => false, recognition);
}

function recognition(files: readonly string[]): Recognition {
  const named = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const evidence = [`${named} ${files.length === 1 ? 'starts' : 'start'} with the HDF5 signature`];
  return { format: 'hdf5', evidence, files };
}

export { startsAsHdf5 } from '@assay/hdf5';
