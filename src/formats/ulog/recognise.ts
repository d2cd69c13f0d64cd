import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { ulogMagic } from './log-walk.ts';

/** File names that are probed; a lone file is probed whatever its name. */
const plausibleName = /\.(ulg|ulog|log|bin)$|^[^.]*$/i;

/**
 * Recognises files with the ULog signature that are named like a ULog, are in `misnamed`, or are the only file; `null`
 * if there is none.
 */
export async function recogniseUlog(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const files: string[] = [];
  const isLoneFile = tree.files.length === 1;
  const candidates = tree.files.filter(
    ({ path }) =>
      isLoneFile || misnamed?.has(path) || plausibleName.test(path.slice(path.lastIndexOf('/') + 1)),
  );
  const batchSize = 32;
  for (let from = 0; from < candidates.length; from += batchSize) {
    const batch = candidates.slice(from, from + batchSize);
    const heads = await Promise.all(
      batch.map(({ path }) => tree.head(path, ulogMagic.length).catch(() => null)),
    );
    for (const [i, head] of heads.entries())
      if (head !== null && startsAsUlog(head)) files.push(batch[i].path);
  }
  return files.length === 0 ? null : buildRecognition(files);
}

/**
 * Divides recognised logs into one dataset per folder; a folder with a single log counts as one recording of its
 * parent.
 */
export function divideUlog(recognition: Recognition): readonly DividedRecognition[] {
  return divideByFolder(recognition, () => false, buildRecognition);
}

function buildRecognition(files: readonly string[]): Recognition {
  const listed = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const verb = files.length === 1 ? 'starts' : 'start';
  return { format: 'ulog', evidence: [`${listed} ${verb} with the ULog magic number`], files };
}

/** True if the first bytes are the ULog signature. */
export function startsAsUlog(head: Uint8Array): boolean {
  return head.length >= ulogMagic.length && ulogMagic.every((byte, i) => head[i] === byte);
}
