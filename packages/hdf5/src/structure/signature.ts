/** The first eight bytes of HDF5, at 0 or behind a user block at 512, 1024, 2048, … */
export const signature = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

/** Whether bytes start as HDF5 without a user block does. */
export function startsAsHdf5(head: Uint8Array): boolean {
  return head.length >= signature.length && signature.every((byte, i) => head[i] === byte);
}

/** Bytes of a file's start in which `isHdf5` finds user blocks of usual size. */
export const headBytes = 4096 + signature.length;

/** Whether the start of a file is that of HDF5, at 0 or behind a user block of usual size. */
export function isHdf5(head: Uint8Array): boolean {
  return [0, 512, 1024, 2048, 4096].some((at) => startsAsHdf5(head.subarray(at)));
}
