import { AssayError, enumerate } from '#core';
import type { Finding } from '#core/episode';
import type { Unreadable } from '../../../shared/reader.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { lfsBreach } from '../../metadata/lfs.ts';
import { lerobotBreach } from '../../rules/contract.ts';
import { episodeId } from './episode-parts.ts';

export function unreadable(episode: number, finding: Finding): Unreadable {
  return { unreadable: true, id: episodeId(episode), index: episode, finding };
}

/** Why nothing can be read from a data file, or null. */
export function blockedFile(set: LeRobotSet, file: string): Finding | null {
  const entry = set.tree.entry(file);
  if (entry === undefined) {
    return lerobotBreach(set.layout, 'data_file_missing', file, `the data file ${file} is not there`);
  }
  if (set.pointers.has(file)) return lfsBreach(set.layout, set.pointers);
  return entry.bytes > 0 ? null : damagedFile(set, file, 'it is empty');
}

export function damagedFile({ layout, episodes }: LeRobotSet, file: string, why: string): Finding {
  const lost: number[] = [];
  for (let row = 0; row < episodes.count; row++)
    if (episodes.dataPath(row) === file) lost.push(episodes.index[row]);
  const what =
    lost.length === 0 ? '' : `; with it ${lost.length === 1 ? 'episode' : 'episodes'} ${enumerate(lost)}`;
  const closed = /Permission denied|EACCES|EPERM/.test(why);
  const said = closed ? 'may not be read by this user' : `could not be read: ${why.split('\n')[0]}`;
  const message = `the data file ${file} ${said}${what}`;
  const evidence = { episodes: lost.slice(0, 1000) };
  const breach = lerobotBreach(layout, 'data_file_unreadable', file, message, evidence);
  return closed ? { ...breach, advice: 'Ask for permission to read it (chmod a+r), or copy it.' } : breach;
}

export function withoutRows({ layout }: LeRobotSet, file: string, episode: number): Finding {
  const message = `episode ${episode} is listed, but ${file} has no rows of it`;
  return lerobotBreach(layout, 'episode_without_rows', file, message);
}

/** A fault of the program is not a damaged file; what the engine throws is a plain Error or an AssayError. */
export function rethrowFault(thrown: unknown): void {
  const fault =
    thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError;
  if (fault || (thrown instanceof AssayError && thrown.code === 'internal')) throw thrown;
}
