import { closeSync, openSync, readSync } from 'node:fs';
import { isLfsPointer, lfsPointerHead_bytes } from '#core';

/** Whether a pointer of Git LFS lies at a path. Throws as the system does. */
export function lfsPointerAt(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(lfsPointerHead_bytes);
    return readSync(file, head, 0, head.length, 0) === head.length && isLfsPointer(head);
  } finally {
    closeSync(file);
  }
}
