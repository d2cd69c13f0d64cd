import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import { isHdf5 } from '../shared/hdf5-file.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';

/** File names that are probed; a lone file is probed whatever its name. */
const plausibleName = /\.(h5|hdf5|hdf|he5|h5py)$|(^|\/)[^.]*$/i;
const batchSize = 32;

/**
 * Recognises all files with the HDF5 signature, whose layout is determined on opening; `null` if there is none. Only
 * files with a plausible or `misnamed` name are read, and a lone file.
 */
export async function recogniseHdf5(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const isLone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path }) =>
    isLone || misnamed?.has(path) || plausibleName.test(path) ? [path] : [],
  );
  const files: string[] = [];
  for (let from = 0; from < candidates.length; from += batchSize) {
    const batch = candidates.slice(from, from + batchSize);
    const isMatch = await Promise.all(batch.map((path) => isHdf5(tree, path).catch(() => false)));
    files.push(...batch.filter((_, i) => isMatch[i]));
  }
  return files.length === 0 ? null : buildRecognition(files);
}

/** Divides files into one dataset per folder; folders of a single file are joined with those of the parent folder. */
export function divideHdf5(recognition: Recognition): readonly DividedRecognition[] {
  return divideByFolder(recognition, () => false, buildRecognition);
}

function buildRecognition(files: readonly string[]): Recognition {
  const listed = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const evidence = [`${listed} ${files.length === 1 ? 'starts' : 'start'} with the HDF5 signature`];
  return { format: 'hdf5', evidence, files };
}

export { startsAsHdf5 } from '@assay/hdf5';
