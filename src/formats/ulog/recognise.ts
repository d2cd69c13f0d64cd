import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { magic } from './ulog-head.ts';

/** Names under which ULogs are met; a lone file is looked at whatever its name. */
const plausible = /\.(ulg|ulog|log|bin)$|^[^.]*$/i;

/** Takes every file that starts as a ULog does. */
export async function recogniseUlog(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const files: string[] = [];
  const lone = tree.files.length === 1;
  const candidates = tree.files.filter(
    ({ path }) => lone || misnamed?.has(path) || plausible.test(path.slice(path.lastIndexOf('/') + 1)),
  );
  const atOnce = 32;
  for (let from = 0; from < candidates.length; from += atOnce) {
    const batch = candidates.slice(from, from + atOnce);
    const heads = await Promise.all(batch.map(({ path }) => tree.head(path, magic.length).catch(() => null)));
    for (const [i, head] of heads.entries())
      if (head !== null && startsAsUlog(head)) files.push(batch[i].path);
  }
  return files.length === 0 ? null : recognition(files);
}

/** One dataset a folder. */
export function divideUlog(whole: Recognition): readonly DividedRecognition[] {
  return divideByFolder(whole, () => false, recognition);
}

function recognition(files: readonly string[]): Recognition {
  const named = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const verb = files.length === 1 ? 'starts' : 'start';
  return { format: 'ulog', evidence: [`${named} ${verb} with the ULog magic number`], files };
}

/** By its first bytes. */
export function startsAsUlog(head: Uint8Array): boolean {
  return head.length >= magic.length && magic.every((byte, i) => head[i] === byte);
}
