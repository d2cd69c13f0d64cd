import { AssayError } from '#core';
import type { KeptPicture } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { AllPictures, type TakenPicture } from '../messages/pictures/all-pictures.ts';
import { WantedPicture, type WantedPictures } from '../messages/pictures/wanted-picture.ts';
import { Recording } from '../messages/recording.ts';
import type { PicturesWanted, PictureWanted, StreamedPicture } from '../reader.ts';
import type { OpenLog, WalkTarget } from './log-walk.ts';
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
  const target = targetFor(start_ns, locator.path, wanted);
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

/** Walks a recording for all pictures of one stream of an episode. Throws where a file of it cannot be read. */
export async function* streamPictures(
  tree: SourceTree,
  { files }: RecordingSelector,
  { locator, log_s, start_ns }: PicturesWanted,
  openLog: OpenLog,
): AsyncGenerator<StreamedPicture, void, undefined> {
  if (log_s === null || start_ns === null) return;
  const wanted = new AllPictures(locator.channel, log_s);
  const target = targetFor(start_ns, locator.path, wanted);
  for (const path of files) {
    await using walk = await openLog(tree, path, target, null);
    walk.rebase();
    while (wanted.awaited > 0 && (await walk.step())) yield* wanted.take().map(streamed);
    yield* wanted.take().map(streamed);
  }
}

function streamed({ row, log_ns, isKey, bytes, layout }: TakenPicture): StreamedPicture {
  const picture = { index: row, time_s: log_ns / 1e9, bytes: bytes(), key: isKey };
  return layout === null ? picture : { ...picture, layout };
}

/** Times count from the start of the episode, so that a recording in several parts is one walk all the same. */
function targetFor(start_ns: string, path: string, wanted: WantedPictures): WalkTarget {
  const recording = new Recording(BigInt(start_ns), path, 'log_time', wanted);
  return { recording, segment: 0, heldLimit: Number.POSITIVE_INFINITY, hashes: false, threads: 1 };
}
