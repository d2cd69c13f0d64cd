import type { KeptPicture } from '#episode';
import { AssayError } from '#kernel';
import type { SourceTree } from '#sources';
import { WantedPicture } from '../messages/pictures/wanted-picture.ts';
import { Recording } from '../messages/recording.ts';
import type { PictureWanted } from '../reader.ts';
import type { OpenLog } from './log-walk.ts';
import type { RecordingSelector } from './plan-recordings.ts';

/** Walks a recording up to one picture. Throws what is wrong with its files where the picture was not in another. */
export async function picturesAt(
  tree: SourceTree,
  { files }: RecordingSelector,
  { locator, log_s, start_ns }: PictureWanted,
  openLog: OpenLog,
): Promise<readonly KeptPicture[]> {
  if (log_s === null || start_ns === null) return [];
  const wanted = new WantedPicture(locator.channel, log_s * 1e9);
  // Times count from the start of the episode, so that a recording in several parts is one walk all the same.
  const recording = new Recording(BigInt(start_ns), locator.path, 'log_time', wanted);
  const target = { recording, segment: 0, heldLimit: Number.POSITIVE_INFINITY, hashes: false, threads: 1 };
  let failure: AssayError | null = null;
  for (const path of files) {
    try {
      await using walk = await openLog(tree, path, target, null);
      walk.rebase();
      while (!wanted.found && (await walk.step()));
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      failure ??= thrown;
    }
    if (wanted.found) return wanted.pictures;
  }
  if (failure !== null) throw failure;
  return [];
}
