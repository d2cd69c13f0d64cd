import { createFileHasher, type SourceTree } from '#io/sources';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { datasetOf } from '../read/dataset.ts';
import { episodeTableOf } from '../read/episodes/episodes-v3.ts';
import { lazyWindows } from '../read/findings/windows.ts';
import { episodeStatsReader } from '../read/stats/episode-stats.ts';
import type { CarriedSet } from './carried-set.ts';
import { camerasWithVideo } from './info.ts';

/** Opens a set that another thread has opened: the same dataset, and no table is read for it. */
export async function openCarriedLeRobot(
  tree: SourceTree,
  recognition: Recognition,
  carried: CarriedSet,
): Promise<Dataset> {
  const { parts, table, homes, findings, episodeStatsPlace: place } = carried;
  const episodes = episodeTableOf(table, parts.info, camerasWithVideo(parts.features));
  const set = {
    ...parts,
    tree,
    episodes,
    windows: lazyWindows(episodes, parts.layout, parts.info.fps),
    episodeStats: place === null ? null : episodeStatsReader(tree, place, [...parts.features.keys()]),
    hasher: createFileHasher(tree),
    columns: new Map(),
  };
  return datasetOf(set, (episode) => homes?.get(episode), recognition, findings, carried);
}
