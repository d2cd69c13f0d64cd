import { existsSync, statSync } from 'node:fs';
import { FrameUnavailable } from '../media-errors.ts';
import { describeNonMedia, readHead } from '../media-files.ts';
import { maxFramePixels, readContainerIndex, UnusableVideo, VideoFile } from './video-file.ts';

/**
 * Maximum number of open files: LeRobot v3 uses one file for hundreds of requests, and cameras of an episode take
 * turns.
 */
const maxOpenFiles = 6;
/** A file that was not used for this many requests is closed; each open file uses some megabytes. */
const maxIdleRequests = 2 * maxOpenFiles;

interface Entry {
  readonly path: string;
  /** Size and modification time, so that a rewritten file is opened again. */
  readonly stamp: string;
  readonly file: VideoFile;
  /** Number of the request that used it last. */
  readonly lastRequest: number;
}

let requestCount = 0;
const entries: Entry[] = [];

/** Closes all open video files. */
export function closeVideoFiles(): void {
  for (const { file } of entries.splice(0)) file.close();
}

/** Returns an opened and indexed video file, reusing an open one if the file is unchanged; throws UnusableVideo. */
export function cachedVideoFile(path: string): VideoFile {
  const { size, mtimeMs } = statSync(path);
  const stamp = `${size} ${mtimeMs}`;
  const at = entries.findIndex((entry) => entry.path === path);
  const [found] = at < 0 ? [] : entries.splice(at, 1);
  if (found?.stamp === stamp) return remember(path, stamp, found.file);
  found?.file.close();
  return remember(path, stamp, new VideoFile(path));
}

/**
 * Returns an opened video file of which only `bytes` bytes are present so far, reusing an open one if no more have
 * arrived; throws UnusableVideo.
 *
 * When more parts have arrived it is opened again, because FFmpeg guesses some properties from frames; the packet index
 * is reused.
 */
export function cachedPartialFile(path: string, bytes: number): VideoFile {
  const stamp = `${bytes} of its parts`;
  const at = entries.findIndex((entry) => entry.path === path);
  const [found] = at < 0 ? [] : entries.splice(at, 1);
  if (found?.stamp === stamp) return remember(path, stamp, found.file);
  found?.file.close();
  return remember(
    path,
    stamp,
    new VideoFile(path, maxFramePixels, found?.file.index ?? readContainerIndex(path)),
  );
}

function remember(path: string, stamp: string, file: VideoFile): VideoFile {
  entries.push({ path, stamp, file, lastRequest: ++requestCount });
  while (entries.length > maxOpenFiles || requestCount - entries[0].lastRequest > maxIdleRequests)
    entries.shift()?.file.close();
  return file;
}

/**
 * Returns an opened and indexed video file, reusing an open one; throws FrameUnavailable, saying what the file is
 * instead, if it cannot be used as video.
 */
export function openVideo(path: string): VideoFile {
  try {
    return cachedVideoFile(path);
  } catch (thrown) {
    if (!(thrown instanceof UnusableVideo)) throw thrown;
    throw new FrameUnavailable(
      existsSync(path) ? (describeNonMedia(readHead(path)) ?? thrown.message) : thrown.message,
    );
  }
}
