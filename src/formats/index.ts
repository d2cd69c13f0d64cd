export {
  type DiscoveredDataset,
  type DiscoverOptions,
  type Discovery,
  discover,
  type OpenDataset,
  reopen,
  stepOf,
  type Unopened,
} from './discovery/discover.ts';
export type { RecognisedDataset } from './discovery/recognise-datasets.ts';
export { roleOf } from './lerobot/read/episodes/column-plan.ts';
export { stampFindings } from './lerobot/read/findings/stamp-findings.ts';
export { disagreement } from './lerobot/read/stats/compare-stats.ts';
export type { LeRobotRuleId } from './lerobot/rules/contract.ts';
export { proposeMapping } from './mapped/propose-mapping.ts';
export { unpackChunk } from './mcap/read/chunk-bytes.ts';
export {
  magic as mcapMagic,
  opcode as mcapOpcode,
  prefixBytes as mcapPrefixBytes,
} from './mcap/read/records.ts';
export { readers } from './registry.ts';
export { unpackChunk as unpackBagChunk } from './rosbag/read/chunk-bytes.ts';
export {
  type BagDatabase,
  type BagTableScan,
  openDatabase as openBagDatabase,
} from './rosbag2/bag-database.ts';
export { type BagMetadata, parseBagMetadata } from './shared/bags/bag-metadata.ts';
export { inRecordingOrder, splitNumber } from './shared/bags/recording-order.ts';
export { unpackLz4Frame } from './shared/compression/lz4-frame.ts';
export { awayFindings, type FilesAway } from './shared/files-away.ts';
export { lookCut } from './shared/look.ts';
export { type Chunk, chunks, rows } from './shared/parquet/chunks.ts';
export { closeDuckDb, interruptQueries, parquetSource, sqlName, sqlText } from './shared/parquet/duck.ts';
export { type ParquetColumn, parquetColumns, parquetKeyValues } from './shared/parquet/footer.ts';
export { picturesOf } from './shared/pictures-of.ts';
export type {
  Dataset,
  DatasetFacts,
  FormatReader,
  PicturesWanted,
  PictureWanted,
  ReadOptions,
  Recognition,
  StreamedPicture,
  Unreadable,
  WorkUnit,
} from './shared/reader.ts';
export { parseCsv } from './shared/text/csv.ts';
export { mp4Times } from './videos/mp4-times.ts';
