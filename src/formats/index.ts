export {
  type DiscoveredDataset,
  type DiscoverOptions,
  type Discovery,
  discover,
  type OpenDataset,
  openingStep,
  reopen,
  type Unopened,
} from './discovery/discover.ts';
export { checkMapping, proposeMapping } from './discovery/map-folder.ts';
export type { RecognisedDataset } from './discovery/recognised-dataset.ts';
export { unreadFormats } from './discovery/unread-formats.ts';
export { inferRole } from './lerobot/read/episodes/column-plan.ts';
export { checkStampsAgainstGrid } from './lerobot/read/findings/stamp-findings.ts';
export { compareStatistics } from './lerobot/read/stats/compare-stats.ts';
export type { LeRobotRuleId } from './lerobot/rules/contract.ts';
export type { MappingCheck } from './mapped/check-mapping.ts';
export type { SignalCheck, Spread } from './mapped/signal-facts.ts';
export {
  magic as mcapMagic,
  opcode as mcapOpcode,
  prefixBytes as mcapPrefixBytes,
  unpackChunk,
} from './mcap/records.ts';
export { readers } from './registry.ts';
export { unpackChunk as unpackBagChunk } from './rosbag/chunk-bytes.ts';
export {
  type BagDatabase,
  type BagTableScan,
  openDatabase as openBagDatabase,
} from './rosbag2/bag-database.ts';
export {
  type BagMetadata,
  orderSplitFiles,
  parseBagMetadata,
  parseSplitName,
} from './shared/bags/bag-metadata.ts';
export { unpackLz4Frame } from './shared/compression/lz4-frame.ts';
export { readPictureStream } from './shared/embedded-pictures.ts';
export { lookCut } from './shared/episode-cuts.ts';
export { type Chunk, fetchChunks, fetchRows } from './shared/parquet/chunks.ts';
export { closeDuckDb, interruptQueries, parquetSource, sqlName, sqlText } from './shared/parquet/duck.ts';
export { type ParquetColumn, parquetColumns, parquetKeyValues } from './shared/parquet/footer.ts';
export type {
  Dataset,
  DatasetFacts,
  FormatReader,
  PictureRequest,
  PictureStreamRequest,
  ReadOptions,
  Recognition,
  StreamedPicture,
  Unreadable,
  WorkUnit,
} from './shared/reader.ts';
export { parseCsv } from './shared/text/csv.ts';
export { type UnreadableFiles, unreadableFileFindings } from './shared/unreadable-files.ts';
export { readMp4Times } from './videos/mp4.ts';
