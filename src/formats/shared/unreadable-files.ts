import { lfsPointerWords, listText } from '#core';
import type { Finding } from '#core/episode';

/**
 * Paths of files without readable content, by cause: Git LFS pointers, empty files (0 bytes), files without read
 * permission.
 */
export interface UnreadableFiles {
  readonly pointers: readonly string[];
  readonly empty: readonly string[];
  readonly closed: readonly string[];
}

type FileProblem = Pick<Finding, 'code' | 'severity' | 'advice'> & {
  readonly one: string;
  readonly several: string;
};

const lfsPointers: FileProblem = {
  code: 'lfs_pointer',
  severity: 'error',
  one: lfsPointerWords.what,
  several: 'files are Git LFS pointers, not the actual files',
  advice: lfsPointerWords.advice,
};
const notPermitted: FileProblem = {
  code: 'file_not_permitted',
  severity: 'error',
  one: 'cannot be read: permission denied',
  several: 'files cannot be read: permission denied',
  advice: 'get read permission (chmod a+r), or copy the files',
};
const emptyFiles: FileProblem = {
  code: 'file_empty',
  severity: 'warning',
  one: 'is empty (0 bytes)',
  several: 'files are empty (0 bytes)',
  advice: 'if these are recordings, record or copy them again',
};

/**
 * Returns one finding per cause (LFS pointer, no permission, empty), naming the file if it is the only one, else the
 * count and the first three.
 */
export function unreadableFileFindings({ pointers, empty, closed }: UnreadableFiles): Finding[] {
  return [
    ...filesFinding(lfsPointers, pointers),
    ...filesFinding(notPermitted, closed),
    ...filesFinding(emptyFiles, empty),
  ];
}

function filesFinding({ one, several, ...kind }: FileProblem, paths: readonly string[]): Finding[] {
  if (paths.length === 0) return [];
  if (paths.length === 1) return [{ ...kind, path: paths[0], message: `${paths[0]} ${one}` }];
  return [{ ...kind, path: null, message: `${paths.length} ${several}: ${listText(paths, 3)}` }];
}

/** True for documents, code and logs (README, LICENSE, `.md`, `.py`, `.log`, …) by file name. */
export const isDocument = (path: string): boolean =>
  /(^|\/)(readme|license|licence|notice|changelog|citation)[^/]*$|\.(md|html?|pdf|py|sh|ipynb|log|sha256|md5)$/i.test(
    path,
  );

/**
 * Matches folders with metadata of the pictures and videos around them (`meta`, `labels`, `annotations`, nuScenes
 * `v1.0-…`).
 */
export const metadataFolderPattern = /(^|\/)(meta|labels|annotations|v1\.0-[^/]+)$/;
