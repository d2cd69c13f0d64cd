/** Recordings as they come in: files of a folder or a store, by ranges. Nothing else opens a recording. */
export {
  type ByteStore,
  iterateWithLocalFiles,
  type LocalFiles,
  type PartialFile,
  type ReadableFile,
  type RecordingsSource,
  watchStore,
  withLocalFiles,
} from './byte-store.ts';
export { type ByteSource, openByteSource } from './bytes/byte-source.ts';
export {
  createFileHasher,
  type FileHasher,
  type HashScope,
  hashScope,
  IncrementalHash,
  noHashes,
  sourceRefs,
  type UsedFile,
} from './bytes/hashing.ts';
export { inflateFile, inflateHead } from './bytes/inflate.ts';
export { FileWindow, memoryFile, openWithNamedErrors } from './bytes/readable-files.ts';
export { RecordWindow } from './bytes/record-window.ts';
export { clearCache, ObjectCache } from './cache/object-cache.ts';
export { stagingName } from './cache/staging.ts';
export { fileStamp, treeStamp } from './folder/file-stamp.ts';
export { makeFolder } from './folder/make-folder.ts';
export { type FileEntry, mayRead, type WalkLimits } from './folder/walk.ts';
export type { RecordingsRef, SourceAccess, WebSourceAccess } from './recordings-ref.ts';
export { openSourceTree, type SourceTree } from './source-tree.ts';
