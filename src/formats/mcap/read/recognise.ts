import { inflatedHead, type SourceTree } from '#io/sources';
import { baseName, closedParts, inFolder, isSidecar, sidecarName } from '../../shared/bags/sidecar.ts';
import { divideByFolder, folderOf } from '../../shared/divide-folders.ts';
import { isZstd } from '../../shared/messages/decoders/message-compression.ts';
import type { DividedRecognition, Recognition } from '../../shared/reader.ts';
import { magic } from './records.ts';

/** Names under which MCAP is met; a lone file is looked at whatever its name. */
const plausible = /\.(mcap|mcap\.zstd|mcap\.zst|mcap\.active|bag|db3)$|^[^.]*$/i;

const promised = /\.mcap(\.zstd|\.zst)?$/i;

/** Takes every file that starts as an MCAP file does, and the metadata.yaml beside it. */
export async function recogniseMcap(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const files: string[] = [];
  const lone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path }) =>
    lone || misnamed?.has(path) || plausible.test(baseName(path)) ? [path] : [],
  );
  for await (const { path, kind } of sniffAll(tree, candidates)) if (kind !== null) files.push(path);
  if (files.length === 0) return null;
  const sidecars = [...new Set(files.map((path) => inFolder(folderOf(path), sidecarName)))];
  const closed = closedParts(tree, sidecars, promised);
  return recognition([...files, ...closed, ...sidecars.filter((path) => tree.has(path))]);
}

/** One dataset a folder; a ROS 2 bag is a folder for one recording. */
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
      ...(bags === 0 ? [] : [`${bags} of the folders hold the metadata.yaml of a ROS 2 bag`]),
    ],
    files,
  };
}

type Kind = 'plain' | 'zstd' | null;

/** A few at a time: a folder may hold thousands. */
async function* sniffAll(
  tree: SourceTree,
  paths: readonly string[],
): AsyncGenerator<{ path: string; kind: Kind }> {
  const atOnce = 32;
  for (let from = 0; from < paths.length; from += atOnce) {
    const batch = paths.slice(from, from + atOnce);
    const kinds = await Promise.all(batch.map((path) => sniff(tree, path)));
    for (const [i, path] of batch.entries()) yield { path, kind: kinds[i] };
  }
}

/** `plain`, or `zstd` for a file compressed as a whole; null: no MCAP. */
async function sniff(tree: SourceTree, path: string): Promise<Kind> {
  const head = await tree.head(path, magic.length).catch(() => null);
  if (head === null) return null;
  if (startsAsMcap(head)) return 'plain';
  if (!isZstd(head)) return null;
  return startsAsMcap(await inflatedHead(tree, path, magic.length)) ? 'zstd' : null;
}

/** By its first bytes. */
export function startsAsMcap(bytes: Uint8Array): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => bytes[i] === byte);
}
