import { statSync } from 'node:fs';
import { containerIndex, mostPixels, VideoFile } from './video-file.ts';

/** Files kept open: LeRobot v3 asks hundreds of times for one file, and cameras of an episode take turns. */
const kept = 6;
/** One that is not asked for while others are so often has no turn any more; each holds some megabytes. */
const turns = 2 * kept;

interface Entry {
  readonly path: string;
  /** Size and time of change: a file written anew is opened anew. */
  readonly stamp: string;
  readonly file: VideoFile;
  /** At which request it was asked for last. */
  readonly asked: number;
}

let asked = 0;
const entries: Entry[] = [];

export function closeVideoFiles(): void {
  for (const { file } of entries.splice(0)) file.close();
}

/** The file opened and indexed, from before where that was done. Throws NotVideo. */
export function videoFile(path: string): VideoFile {
  const { size, mtimeMs } = statSync(path);
  const stamp = `${size} ${mtimeMs}`;
  const at = entries.findIndex((entry) => entry.path === path);
  const [found] = at < 0 ? [] : entries.splice(at, 1);
  if (found?.stamp === stamp) return keep(path, stamp, found.file);
  found?.file.close();
  return keep(path, stamp, new VideoFile(path));
}

/**
 * The same of a file whose parts come one after the other, so many bytes by now: what its index says was there from the
 * first, what FFmpeg guesses from its frames was not.
 */
export function partFile(path: string, bytes: number): VideoFile {
  const stamp = `${bytes} of its parts`;
  const at = entries.findIndex((entry) => entry.path === path);
  const [found] = at < 0 ? [] : entries.splice(at, 1);
  if (found?.stamp === stamp) return keep(path, stamp, found.file);
  found?.file.close();
  return keep(path, stamp, new VideoFile(path, mostPixels, found?.file.index ?? containerIndex(path)));
}

function keep(path: string, stamp: string, file: VideoFile): VideoFile {
  entries.push({ path, stamp, file, asked: ++asked });
  while (entries.length > kept || asked - entries[0].asked > turns) entries.shift()?.file.close();
  return file;
}
