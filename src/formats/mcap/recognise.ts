import { inflateHead, type SourceTree } from '#io/sources';
import {
  baseName,
  findClosedBagFiles,
  isSidecar,
  joinFolder,
  sidecarName,
} from '../shared/bags/bag-metadata.ts';
import { divideByFolder } from '../shared/divide-folders.ts';
import { folderOf } from '../shared/file-names.ts';
import { isZstd } from '../shared/messages/decoders/message-compression.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { magic } from './records.ts';

/** Names that are checked for MCAP content; a single file is checked whatever its name. */
const candidateNames = /\.(mcap|mcap\.zstd|mcap\.zst|mcap\.active|bag|db3)$|^[^.]*$/i;

/** Names of MCAP files, used for files that cannot be read. */
const mcapNames = /\.mcap(\.zstd|\.zst)?$/i;

/**
 * Recognises files that start with the MCAP magic number and are named like MCAP, are in `misnamed`, or are the only
 * file; `null` if there are none. Includes the metadata.yaml beside them, and zstd-compressed files.
 */
export async function recogniseMcap(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const files: string[] = [];
  const lone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path }) =>
    lone || misnamed?.has(path) || candidateNames.test(baseName(path)) ? [path] : [],
  );
  for await (const { path, kind } of sniffAll(tree, candidates)) if (kind !== null) files.push(path);
  if (files.length === 0) return null;
  const sidecars = [...new Set(files.map((path) => joinFolder(folderOf(path), sidecarName)))];
  const closed = findClosedBagFiles(tree, sidecars, mcapNames);
  return recognition([...files, ...closed, ...sidecars.filter((path) => tree.has(path))]);
}

/**
 * Divides the files into one dataset per folder; a ROS 2 bag folder, or one with a single file, counts as one recording
 * of its parent.
 */
export function divideMcap(whole: Recognition): readonly DividedRecognition[] {
  return divideByFolder(whole, (files) => files.some(isSidecar), recognition);
}

function recognition(files: readonly string[]): Recognition {
  const logs = files.filter((path) => !isSidecar(path));
  const verb = logs.length === 1 ? 'starts' : 'start';
  const named = `${logs.slice(0, 3).join(', ')}${logs.length > 3 ? ` and ${logs.length - 3} more` : ''}`;
  const bags = files.length - logs.length;
  return {
    format: 'mcap',
    evidence: [
      `${named} ${verb} with the MCAP magic number`,
      ...(bags === 0 ? [] : [`${bags} of the folders have the metadata.yaml of a ROS 2 bag`]),
    ],
    files,
  };
}

type McapKind = 'plain' | 'zstd' | null;

/** Checks the heads of all files in batches, since a folder may hold thousands. */
async function* sniffAll(
  tree: SourceTree,
  paths: readonly string[],
): AsyncGenerator<{ path: string; kind: McapKind }> {
  const atOnce = 32;
  for (let from = 0; from < paths.length; from += atOnce) {
    const batch = paths.slice(from, from + atOnce);
    const kinds = await Promise.all(batch.map((path) => sniff(tree, path)));
    for (const [i, path] of batch.entries()) yield { path, kind: kinds[i] };
  }
}

/** Returns `plain` for MCAP, `zstd` for an MCAP file compressed as a whole, null otherwise. */
async function sniff(tree: SourceTree, path: string): Promise<McapKind> {
  const head = await tree.head(path, magic.length).catch(() => null);
  if (head === null) return null;
  if (startsAsMcap(head)) return 'plain';
  if (!isZstd(head)) return null;
  return startsAsMcap(await inflateHead(tree, path, magic.length)) ? 'zstd' : null;
}

/** True if the bytes start with the MCAP magic number. */
export function startsAsMcap(bytes: Uint8Array): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => bytes[i] === byte);
}
