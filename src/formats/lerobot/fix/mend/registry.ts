import { cameras } from './cameras.ts';
import { episodeTasks } from './episode-tasks.ts';
import { features } from './features.ts';
import { infoTotals } from './info-totals.ts';
import { jsonText } from './json-text.ts';
import { listEpisodes } from './list-episodes.ts';
import { measureEpisodes } from './measure-episodes.ts';
import type { Mend } from './mend.ts';
import { nameVideos } from './name-videos.ts';
import { numberEpisodes } from './number-episodes.ts';
import { numberRows } from './number-rows.ts';
import { orphans } from './orphans.ts';
import { rate } from './rate.ts';
import { recoverData } from './recover-data.ts';
import { stagingPictures } from './staging-pictures.ts';
import { stamps } from './stamps.ts';
import { statistics } from './statistics.ts';
import { taskTable } from './task-table.ts';
import { videos } from './videos.ts';
import { windows } from './windows.ts';

/** In the order in which they run: each takes what those before it have mended. */
export const mends: readonly Mend[] = [
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
  nameVideos,
];
