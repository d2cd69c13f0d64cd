import { enumerate, lfsPointerWords } from '#core';
import type { Finding } from '#core/episode';

/** Paths of files that hold nothing that can be read, by why. */
export interface FilesAway {
  readonly pointers: readonly string[];
  readonly empty: readonly string[];
  readonly closed: readonly string[];
}

type FilesSaid = Pick<Finding, 'code' | 'severity' | 'advice'> & {
  readonly one: string;
  readonly several: string;
};

const lfsPointers: FilesSaid = {
  code: 'lfs_pointer',
  severity: 'error',
  one: lfsPointerWords.what,
  several: 'files are Git LFS pointers, not the files',
  advice: lfsPointerWords.advice,
};
const notPermitted: FilesSaid = {
  code: 'file_not_permitted',
  severity: 'error',
  one: 'may not be read by this user',
  several: 'files may not be read by this user',
  advice: 'ask for permission to read (chmod a+r), or copy them',
};
const emptyFiles: FilesSaid = {
  code: 'file_empty',
  severity: 'warning',
  one: 'is empty (0 bytes)',
  several: 'files are empty (0 bytes)',
  advice: 'record or copy them again, if they are recordings',
};

/** What files are that hold nothing to read, and what to do; said once for all of a kind. */
export function awayFindings({ pointers, empty, closed }: FilesAway): Finding[] {
  return [
    ...filesFinding(lfsPointers, pointers),
    ...filesFinding(notPermitted, closed),
    ...filesFinding(emptyFiles, empty),
  ];
}

function filesFinding({ one, several, ...kind }: FilesSaid, paths: readonly string[]): Finding[] {
  if (paths.length === 0) return [];
  if (paths.length === 1) return [{ ...kind, path: paths[0], message: `${paths[0]} ${one}` }];
  return [{ ...kind, path: null, message: `${paths.length} ${several}: ${enumerate(paths, 3)}` }];
}

/** Names of what people read, and of code. */
export const isDocument = (path: string): boolean =>
  /(^|\/)(readme|license|licence|notice|changelog|citation)[^/]*$|\.(md|html?|pdf|py|sh|ipynb|log|sha256|md5)$/i.test(
    path,
  );

/** Folders of metadata that say what the pictures and videos beside them are. */
export const metadataFolder = /(^|\/)(meta|labels|annotations|v1\.0-[^/]+)$/;
