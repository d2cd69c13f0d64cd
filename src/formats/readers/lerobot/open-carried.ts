import { createFileHasher } from '../../bytes/file-hash.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import type { Dataset, Recognition } from '../../reader.ts';
import type { CarriedSet } from './carried-set.ts';
import { datasetOf } from './dataset.ts';
import { episodeStatsReader } from './episode-stats.ts';
import { episodeTableOf } from './episodes-v3.ts';
import { camerasWithVideo } from './info.ts';
import { lazyWindows } from './windows.ts';

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
