export { type FileEntry, openSourceTree, type SourceTree } from './bytes/source-tree.ts';
export type {
  Dataset,
  DatasetFacts,
  FormatReader,
  ReadOptions,
  Recognition,
  Unreadable,
  WorkUnit,
} from './reader.ts';
