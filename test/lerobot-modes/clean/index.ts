import type { CleanVariant } from '../mode.ts';
import { av1 } from './av1.ts';
import { bFrames } from './b-frames.ts';
import { base } from './base.ts';
import { extraColumns } from './extra-columns.ts';
import { fifteenRowsASecond } from './fifteen-rows-a-second.ts';
import { fiftyRowsASecond } from './fifty-rows-a-second.ts';
import { float64 } from './float64.ts';
import { gripperToOne } from './gripper-to-one.ts';
import { jointNeverUsed } from './joint-never-used.ts';
import { lastFileOfOneEpisode } from './last-file-of-one-episode.ts';
import { longGroups } from './long-groups.ts';
import { namesAsObject } from './names-as-object.ts';
import { noGripper } from './no-gripper.ts';
import { noQuantiles } from './no-quantiles.ts';
import { normalised } from './normalised.ts';
import { oneCamera } from './one-camera.ts';
import { oneTableOfStatistics } from './one-table-of-statistics.ts';
import { picturesInTables } from './pictures-in-tables.ts';
import { pooledQuantiles } from './pooled-quantiles.ts';
import { radians } from './radians.ts';
import { scriptedInNewScenes } from './scripted-in-new-scenes.ts';
import { scriptedNearRepeats } from './scripted-near-repeats.ts';
import { severalTexts } from './several-texts.ts';
import { stillBeforeMotion } from './still-before-motion.ts';
import { taskSpaceDeltas } from './task-space-deltas.ts';
import { velocityActions } from './velocity-actions.ts';

/** Valid variants that must not be reported. */
export const cleanVariants: readonly CleanVariant[] = [
  base,
  gripperToOne,
  radians,
  normalised,
  velocityActions,
  taskSpaceDeltas,
  fifteenRowsASecond,
  fiftyRowsASecond,
  stillBeforeMotion,
  noGripper,
  oneCamera,
  lastFileOfOneEpisode,
  av1,
  longGroups,
  bFrames,
  namesAsObject,
  float64,
  extraColumns,
  oneTableOfStatistics,
  noQuantiles,
  pooledQuantiles,
  severalTexts,
  scriptedNearRepeats,
  scriptedInNewScenes,
  jointNeverUsed,
  picturesInTables,
];
