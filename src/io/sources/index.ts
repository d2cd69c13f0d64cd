/** Recordings as they come in: files of a folder or a store, by ranges. Nothing else opens a recording. */
export {
  type ByteStore,
  type HeldFiles,
  type HeldPart,
  type ReadableFile,
  type RecordingsSource,
  watchStore,
  whileHeld,
  withHeld,
} from './byte-store.ts';
export { type ByteSource, openByteSource } from './bytes/byte-source.ts';
export { createFileHasher, type FileHasher, noHashes } from './bytes/file-hash.ts';
export { FileWindow } from './bytes/file-window.ts';
export { HashAsRead } from './bytes/hash-as-read.ts';
export { inflateFile } from './bytes/inflated-file.ts';
export { inflatedHead } from './bytes/inflated-head.ts';
export { fileOfBytes } from './bytes/memory-file.ts';
export { openWithFaultsNamed } from './bytes/named-faults.ts';
export { RecordWindow } from './bytes/record-window.ts';
export { type HashScope, hashScope, sourceRefs, type UsedFile } from './bytes/source-refs.ts';
export { clearCache, ObjectCache } from './cache/object-cache.ts';
export { stagingName } from './cache/staging.ts';
export { type FileEntry, mayRead } from './folder/file-entry.ts';
export { fileStamp } from './folder/file-stamp.ts';
export { makeFolder } from './folder/make-folder.ts';
export { treeStamp } from './folder/tree-stamp.ts';
export type { WalkLimits } from './folder/walk.ts';
export type { RecordingsRef, SourceAccess } from './recordings-ref.ts';
export { openSourceTree, type SourceTree } from './source-tree.ts';
