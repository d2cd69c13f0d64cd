import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { parseVersion } from './bag-start.ts';
import { magic } from './records.ts';

/** Names that are checked for bag content; a single file is checked whatever its name. */
const candidateNames = /\.bag(\.active|\.orig|\.old|\.bak)?$|(^|\/)[^./]*$/i;
/** Files that are checked concurrently. */
const batchSize = 32;

/**
 * Recognises files that start like a ROS 1 bag of any version and are named like one, are in `misnamed`, or are the
 * only file; `null` if there are none.
 */
export async function recogniseBags(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const lone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path, bytes }) =>
    bytes >= magic.length && (lone || misnamed?.has(path) || candidateNames.test(path)) ? [path] : [],
  );
  const files: string[] = [];
  for (let from = 0; from < candidates.length; from += batchSize) {
    const batch = candidates.slice(from, from + batchSize);
    const versions = await Promise.all(batch.map((path) => readVersion(tree, path)));
    files.push(...batch.filter((_, i) => versions[i] !== null));
  }
  return files.length === 0 ? null : recognition(files);
}

/** Divides the files into one dataset per folder; a folder with a single file counts as one recording of its parent. */
export function divideBags(whole: Recognition): readonly DividedRecognition[] {
  return divideByFolder(whole, () => false, recognition);
}

function recognition(files: readonly string[]): Recognition {
  const named = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const verb = files.length === 1 ? 'starts' : 'start';
  return { format: 'rosbag', evidence: [`${named} ${verb} with #ROSBAG`], files };
}

async function readVersion(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, magic.length).catch(() => null);
  return head === null ? null : parseVersion(head);
}

/** True if the bytes start like a ROS 1 bag of any version. */
export function startsAsBag(head: Uint8Array): boolean {
  return parseVersion(head) !== null;
}
