export { type BagDatabase, type BagTableScan, openDatabase as openBagDatabase } from './bag-database.ts';
export { type BagMetadata, parseBagMetadata } from './bags/bag-metadata.ts';
export { inRecordingOrder, splitNumber } from './bags/recording-order.ts';
export { unpackLz4Frame } from './compression/lz4-frame.ts';
export type { LeRobotRuleId } from './contracts/lerobot/contract.ts';
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
export { awayFindings, type FilesAway } from './discovery/files-away.ts';
export { lookCut } from './discovery/look.ts';
export type { RecognisedDataset } from './discovery/recognise-datasets.ts';
export { type Chunk, chunks, rows } from './parquet/chunks.ts';
export { closeDuckDb, interruptQueries, parquetSource, sqlName, sqlText } from './parquet/duck.ts';
export { type ParquetColumn, parquetColumns, parquetKeyValues } from './parquet/footer.ts';
export { picturesOf } from './pictures-of.ts';
export { proposeMapping } from './propose-mapping.ts';
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
} from './reader.ts';
export { roleOf } from './readers/lerobot/episodes/column-plan.ts';
export { stampFindings } from './readers/lerobot/findings/stamp-findings.ts';
export { disagreement } from './readers/lerobot/stats/compare-stats.ts';
export { unpackChunk } from './readers/mcap/chunk-bytes.ts';
export {
  magic as mcapMagic,
  opcode as mcapOpcode,
  prefixBytes as mcapPrefixBytes,
} from './readers/mcap/records.ts';
export { unpackChunk as unpackBagChunk } from './readers/rosbag/chunk-bytes.ts';
export { mp4Times } from './readers/videos/mp4-times.ts';
export { readers } from './registry.ts';
export { parseCsv } from './text/csv.ts';
