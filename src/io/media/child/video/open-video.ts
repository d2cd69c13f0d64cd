import { existsSync } from 'node:fs';
import { headOf, notMedia } from '../not-media.ts';
import { Unshown } from '../shown-frame.ts';
import { videoFile } from './open-files.ts';
import { NotVideo, type VideoFile } from './video-file.ts';

/** The file opened and indexed. Throws Unshown, with what the file is instead, where it cannot be used as video. */
export function openVideo(path: string): VideoFile {
  try {
    return videoFile(path);
  } catch (thrown) {
    if (!(thrown instanceof NotVideo)) throw thrown;
    throw new Unshown(existsSync(path) ? (notMedia(headOf(path)) ?? thrown.message) : thrown.message);
  }
}
