export type { ByteStore, HeldFiles, RecordingsSource } from './bytes/byte-store.ts';
export { type FileEntry, openSourceTree, type SourceTree } from './bytes/source-tree.ts';
export type { Claim } from './claims.ts';
export {
  type DiscoveredDataset,
  type DiscoverOptions,
  type Discovery,
  discover,
  type OpenDataset,
  reopen,
} from './discover.ts';
export { lookCut } from './look.ts';
export { interruptQueries } from './parquet/duck.ts';
export { proposeMapping } from './propose-mapping.ts';
export type {
  Dataset,
  DatasetFacts,
  FormatReader,
  PictureWanted,
  ReadOptions,
  Recognition,
  Unreadable,
  WorkUnit,
} from './reader.ts';
export { type BridgedRecording, bridgePlan, type Chunk } from './recipes/bridge-plan.ts';
export { cutEpisode } from './recipes/cut-episode.ts';
export { cutItems } from './recipes/cut-items.ts';
export { readRecipe } from './recipes/read-recipe.ts';
export type { Recipe } from './recipes/recipe-type.ts';
export { readers } from './registry.ts';
export { type JpegEncoder, openJpegEncoder } from './writers/jpeg.ts';
export {
  type LeRobotCamera,
  type LeRobotEpisode,
  type LeRobotFeature,
  type LeRobotSet,
  lerobotVideoPath,
  writeLeRobotV3,
} from './writers/lerobot-v3.ts';
export { type McapChannel, type McapFile, type McapMessage, writeMcap } from './writers/mcap.ts';
export { type CameraStatistics, cameraStatistics } from './writers/statistics.ts';
export { openVideoWriter, type VideoSettings, type VideoWriter } from './writers/video.ts';
