const start = 'version https://git-lfs';

/** Bytes of a file that tell whether it is a pointer. */
export const lfsPointerHead_bytes = start.length;

/** Whether a file that begins like this stands in the place of one that Git LFS has not fetched. */
export const isLfsPointer = (head: Uint8Array | string): boolean =>
  (typeof head === 'string' ? head : new TextDecoder('latin1').decode(head)).startsWith(start);

/** What is said of one, behind its path, and what to do. */
export const lfsPointerWords = {
  what: 'is a Git LFS pointer, not the file',
  advice: 'run git lfs install and git lfs pull in the folder',
};
