import { listEpisodes, measureEpisodes } from './episode-table.ts';
import { cameras, features } from './features.ts';
import type { LeRobotFix } from './fix.ts';
import { infoTotals, jsonText } from './json-metadata.ts';
import { numberEpisodes, numberRows } from './numbering.ts';
import { recoverData } from './recover-data.ts';
import { statistics } from './statistics.ts';
import { episodeTasks, taskTable } from './tasks.ts';
import { rate, stamps } from './timestamps.ts';
import { orphans, stagingPictures } from './unused-files.ts';
import { reportVideos, videos } from './videos.ts';
import { windows } from './windows.ts';

/** All fixes in the order in which they run; each relies on the results of those before it. */
export const lerobotFixes: readonly LeRobotFix[] = [
  recoverData,
  orphans,
  stagingPictures,
  cameras,
  features,
  numberEpisodes,
  numberRows,
  listEpisodes,
  measureEpisodes,
  rate,
  videos,
  windows,
  stamps,
  taskTable,
  episodeTasks,
  infoTotals,
  statistics,
  jsonText,
  reportVideos,
];
