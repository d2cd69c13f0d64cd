import type { FileBytes } from './file-bytes.ts';
import type { GlobalHeap } from './structure/global-heap.ts';

/** What everything in one open file shares. */
export interface FileParts {
  readonly bytes: FileBytes;
  readonly heap: GlobalHeap;
}
