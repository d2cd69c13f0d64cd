import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../../shared/reader.ts';
import { versionOf } from './bag-start.ts';
import { magic } from './records.ts';

/** Names under which bags are met; a lone file is looked at whatever its name. */
const plausible = /\.bag(\.active|\.orig|\.old|\.bak)?$|(^|\/)[^./]*$/i;
const atOnce = 32;

/** Takes every file that starts as a ROS 1 bag does, of whatever version. */
export async function recogniseBags(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const lone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path, bytes }) =>
    bytes >= magic.length && (lone || misnamed?.has(path) || plausible.test(path)) ? [path] : [],
  );
  const files: string[] = [];
  for (let from = 0; from < candidates.length; from += atOnce) {
    const batch = candidates.slice(from, from + atOnce);
    const versions = await Promise.all(batch.map((path) => versionAt(tree, path)));
    files.push(...batch.filter((_, i) => versions[i] !== null));
  }
  return files.length === 0 ? null : recognition(files);
}

/** One dataset a folder. */
export function divideBags(whole: Recognition): readonly DividedRecognition[] {
  return divideByFolder(whole, () => false, recognition);
}

function recognition(files: readonly string[]): Recognition {
  const named = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const verb = files.length === 1 ? 'starts' : 'start';
  return { format: 'rosbag', evidence: [`${named} ${verb} with #ROSBAG`], files };
}

async function versionAt(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, magic.length).catch(() => null);
  return head === null ? null : versionOf(head);
}

/** By its first bytes. */
export function startsAsBag(head: Uint8Array): boolean {
  return versionOf(head) !== null;
}
