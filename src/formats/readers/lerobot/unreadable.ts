import type { Finding } from '#episode';
import { AssayError } from '#kernel';
import type { Unreadable } from '../../reader.ts';
import { episodeId } from './episode-parts.ts';
import type { LeRobotSet } from './lerobot-set.ts';

export function unreadable(episode: number, finding: Finding): Unreadable {
  return { unreadable: true, id: episodeId(episode), index: episode, finding };
}

/** Why nothing can be read from a data file, or null. */
export function blockedFile(set: LeRobotSet, file: string): Finding | null {
  const entry = set.tree.entry(file);
  if (entry === undefined) {
    return {
      code: 'data_file_missing',
      severity: 'error',
      path: file,
      message: `the data file ${file} is not there`,
      advice: 'copy or download the missing file',
    };
  }
  if (set.pointers.has(file)) {
    return {
      code: 'lfs_pointer',
      severity: 'error',
      path: file,
      message: `${file} is a Git LFS pointer, not the file`,
      advice: 'run git lfs pull',
    };
  }
  return entry.bytes > 0 ? null : damagedFile(file, 'it is empty');
}

export function damagedFile(file: string, why: string): Finding {
  return {
    code: 'data_file_unreadable',
    severity: 'error',
    path: file,
    message: `the data file ${file} could not be read: ${why.split('\n')[0]}`,
    advice: 'copy or record the file again; a recording that was not finished lacks its footer',
  };
}

export function withoutRows(file: string, episode: number): Finding {
  return {
    code: 'episode_without_rows',
    severity: 'error',
    path: file,
    message: `episode ${episode} is listed and ${file} has no rows of it`,
    advice: 'take the episode out of the table, or restore its rows',
  };
}

/** A fault of the program is not a damaged file; what the engine throws is a plain Error or an AssayError. */
export function rethrowFault(thrown: unknown): void {
  const fault =
    thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError;
  if (fault || (thrown instanceof AssayError && thrown.code === 'internal')) throw thrown;
}
