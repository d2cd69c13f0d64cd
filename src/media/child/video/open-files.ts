import { statSync } from 'node:fs';
import { VideoFile } from './video-file.ts';

/** Files kept open: LeRobot v3 asks hundreds of times for one file, and cameras of an episode take turns. */
const kept = 6;

interface Entry {
  readonly path: string;
  /** Size and time of change: a file written anew is opened anew. */
  readonly stamp: string;
  readonly file: VideoFile;
}

const entries: Entry[] = [];

/** The file opened and indexed, from before where that was done. Throws NotVideo. */
export function videoFile(path: string): VideoFile {
  const { size, mtimeMs } = statSync(path);
  const stamp = `${size} ${mtimeMs}`;
  const at = entries.findIndex((entry) => entry.path === path);
  const [found] = at < 0 ? [] : entries.splice(at, 1);
  if (found?.stamp === stamp) {
    entries.push(found);
    return found.file;
  }
  found?.file.close();
  const file = new VideoFile(path);
  entries.push({ path, stamp, file });
  if (entries.length > kept) entries.shift()?.file.close();
  return file;
}
