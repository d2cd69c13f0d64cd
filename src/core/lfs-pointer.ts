const start = 'version https://git-lfs';

/** Number of bytes at the start of a file that `isLfsPointer` needs. */
export const lfsPointerHead_bytes = start.length;

/** Returns true if a file that begins with `head` is a Git LFS pointer instead of the file itself. */
export const isLfsPointer = (head: Uint8Array | string): boolean =>
  (typeof head === 'string' ? head : new TextDecoder('latin1').decode(head)).startsWith(start);

/** Message (after the path) and advice for a file that is a Git LFS pointer. */
export const lfsPointerWords = {
  what: 'is a Git LFS pointer, not the file itself',
  advice: 'run git lfs install and git lfs pull in the folder',
};
