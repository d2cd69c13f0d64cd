import { createFileHasher, type SourceTree } from '#io/sources';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { listVideoCameras } from '../metadata/info.ts';
import type { LeRobotSnapshot } from '../metadata/lerobot-set.ts';
import { createDataset } from './dataset.ts';
import { createEpisodeTable } from './episodes/episodes-v3.ts';
import { createWindowCache } from './findings/windows.ts';
import { createEpisodeStatsReader } from './stats/episode-stats.ts';

/** Opens a set from data that another thread has read: the same dataset, without reading its tables again. */
export async function openLeRobotSnapshot(
  tree: SourceTree,
  recognition: Recognition,
  snapshot: LeRobotSnapshot,
): Promise<Dataset> {
  const { parts, table, actualFiles, findings, episodeStatsLocation: place } = snapshot;
  const episodes = createEpisodeTable(table, parts.info, listVideoCameras(parts.features));
  const set = {
    ...parts,
    tree,
    episodes,
    windows: createWindowCache(episodes, parts.layout, parts.info.fps),
    episodeStats: place === null ? null : createEpisodeStatsReader(tree, place, [...parts.features.keys()]),
    hasher: createFileHasher(tree),
    columns: new Map(),
  };
  return createDataset(set, (episode) => actualFiles?.get(episode), recognition, findings, snapshot);
}
