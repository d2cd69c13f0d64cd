import { AssayError, isLfsPointer, lfsPointerHead_bytes, listText } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { Unreadable } from '../../../shared/reader.ts';
import type { FindingCollector } from '../../metadata/finding-collector.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { createLeRobotViolation } from '../../rules/contract.ts';
import { episodeId } from './episode-parts.ts';

/** Creates the result for an episode that cannot be read. */
export function createUnreadable(episode: number, finding: Finding): Unreadable {
  return { unreadable: true, id: episodeId(episode), index: episode, finding };
}

/**
 * Returns the finding that keeps a data file from being read: missing, Git LFS pointer or empty; null if it can be
 * read.
 */
export function findFileFault(set: LeRobotSet, file: string): Finding | null {
  const entry = set.tree.entry(file);
  if (entry === undefined) {
    return createLeRobotViolation(set.layout, 'data_file_missing', file, `data file not found: ${file}`);
  }
  if (set.pointers.has(file)) return createLfsFinding(set.layout, set.pointers);
  return entry.bytes > 0 ? null : createDamagedFileFinding(set, file, 'it is empty');
}

/**
 * Creates the finding for an unreadable data file, naming the reason and the episodes that are lost with it; other
 * advice if permission was denied.
 */
export function createDamagedFileFinding(
  { layout, episodes }: LeRobotSet,
  file: string,
  why: string,
): Finding {
  const lost: number[] = [];
  for (let row = 0; row < episodes.count; row++)
    if (episodes.dataPath(row) === file) lost.push(episodes.index[row]);
  const what =
    lost.length === 0 ? '' : `; affected ${lost.length === 1 ? 'episode' : 'episodes'}: ${listText(lost)}`;
  const closed = /Permission denied|EACCES|EPERM/.test(why);
  const fault = closed ? 'permission denied' : `${why.split('\n')[0]}`;
  const message = `cannot read the data file ${file}: ${fault}${what}`;
  const evidence = { episodes: lost.slice(0, 1000) };
  const violation = createLeRobotViolation(layout, 'data_file_unreadable', file, message, evidence);
  return closed
    ? { ...violation, advice: 'Get read permission for the file (chmod a+r), or copy it.' }
    : violation;
}

/** Creates the finding for a listed episode without rows. */
export function createNoRowsFinding({ layout }: LeRobotSet, file: string, episode: number): Finding {
  const message = `episode ${episode} is in the episode table, but has no rows in ${file}`;
  return createLeRobotViolation(layout, 'episode_without_rows', file, message);
}

/**
 * Throws TypeError, ReferenceError, RangeError and AssayError `internal` again; returns for all other errors, which
 * damaged files cause.
 */
export function rethrowProgramError(thrown: unknown): void {
  const fault =
    thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError;
  if (fault || (thrown instanceof AssayError && thrown.code === 'internal')) throw thrown;
}

/** Largest file that is checked for a pointer, in bytes. */
const maxPointerBytes = 1024;

/**
 * Returns the paths of the set's files that are Git LFS pointers, and adds one finding if there are any; only data,
 * video and picture files of up to 1 KiB are read.
 */
export async function findLfsPointers(
  tree: SourceTree,
  layout: 'v2' | 'v3',
  notes: FindingCollector,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const file of tree.files) {
    if (
      file.bytes === 0 ||
      file.bytes > maxPointerBytes ||
      !/\.(parquet|mp4|mkv|png|jpe?g)$/i.test(file.path)
    )
      continue;
    const head = await tree.head(file.path, lfsPointerHead_bytes).catch(() => new Uint8Array());
    if (isLfsPointer(head)) found.add(file.path);
  }
  if (found.size > 0)
    notes.addFinding({
      ...createLfsFinding(layout, found),
      evidence: { pointers: [...found].slice(0, 1000) },
    });
  return found;
}

/**
 * Creates the finding for Git LFS pointers: one for the whole set, also used for episodes that cannot be read because
 * of them.
 */
function createLfsFinding(layout: 'v2' | 'v3', found: ReadonlySet<string>): Finding {
  const [what, themselves] =
    found.size === 1
      ? ['1 file is a Git LFS pointer', 'the actual file']
      : [`${found.size} files are Git LFS pointers`, 'the actual files'];
  const named = [...found.values().take(4)].join(', ');
  const more = found.size > 4 ? ` and ${found.size - 4} more` : '';
  return createLeRobotViolation(
    layout,
    'lfs_pointers',
    null,
    `${what} instead of ${themselves}: ${named}${more}`,
  );
}
