import type { KeptPicture } from '#episode';
import { AssayError } from '#kernel';
import { openByteSource } from '../../bytes/byte-source.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { Recording } from '../../messages/recording.ts';
import { WantedPicture } from '../../messages/wanted-picture.ts';
import type { PictureWanted } from '../../reader.ts';
import { FileWalk } from './file-walk.ts';
import type { McapSelector } from './plan-units.ts';

/** Walks a recording up to one picture. Throws what is wrong with its files where the picture was not in another. */
export async function picturesAt(
  tree: SourceTree,
  { files }: McapSelector,
  { locator, log_s, start_ns }: PictureWanted,
): Promise<readonly KeptPicture[]> {
  if (log_s === null || start_ns === null) return [];
  const wanted = new WantedPicture(locator.channel, log_s * 1e9);
  // Times count from the start of the episode, so that a recording in several parts is one walk all the same.
  const recording = new Recording(BigInt(start_ns), locator.path, 'log_time', wanted);
  let failure: AssayError | null = null;
  for (const path of files) {
    await walkUntil(tree, path, recording, wanted).catch((thrown: unknown) => {
      if (!(thrown instanceof AssayError)) throw thrown;
      failure ??= thrown;
    });
    if (wanted.found) return wanted.pictures;
  }
  if (failure !== null) throw failure;
  return [];
}

async function walkUntil(
  tree: SourceTree,
  path: string,
  recording: Recording,
  wanted: WantedPicture,
): Promise<void> {
  const head = await tree.head(path, 4);
  const source = await openByteSource(tree, path, head[0] === 0x28 && head[1] === 0xb5);
  try {
    const walk = new FileWalk(source, path, { recording, segment: 0, heldLimit: Number.POSITIVE_INFINITY });
    if (!(await walk.begin())) return;
    walk.records.rebase();
    while (!wanted.found && (await walk.step()));
  } finally {
    await source.close();
  }
}
