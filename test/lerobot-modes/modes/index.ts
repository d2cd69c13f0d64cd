import type { Mode } from '../mode.ts';
import { actionColumnMissing } from './action-column-missing.ts';
import { cameraAtAThird } from './camera-at-a-third.ts';
import { cameraBlack } from './camera-black.ts';
import { cameraDeclaredAbsent } from './camera-declared-absent.ts';
import { cameraFrozen } from './camera-frozen.ts';
import { cameraLags } from './camera-lags.ts';
import { camerasSwapped } from './cameras-swapped.ts';
import { chunkSizeWrong } from './chunk-size-wrong.ts';
import { columnInOneEpisode } from './column-in-one-episode.ts';
import { dataWithoutFooter } from './data-without-footer.ts';
import { duplicateExact } from './duplicate-exact.ts';
import { duplicateWithFreshNoise } from './duplicate-with-fresh-noise.ts';
import { episodeDeletedByHand } from './episode-deleted-by-hand.ts';
import { episodeFileUnlisted } from './episode-file-unlisted.ts';
import { episodeTaskNotInTable } from './episode-task-not-in-table.ts';
import { fpsWrong } from './fps-wrong.ts';
import { frameIndexHole } from './frame-index-hole.ts';
import { indexRestarts } from './index-restarts.ts';
import { instructionWrong } from './instruction-wrong.ts';
import { jointOffset } from './joint-offset.ts';
import { jointsSwapped } from './joints-swapped.ts';
import { lengthLies } from './length-lies.ts';
import { namesTooFew } from './names-too-few.ts';
import { notANumber } from './not-a-number.ts';
import { operatorIdle } from './operator-idle.ts';
import { pictureShapeTurned } from './picture-shape-turned.ts';
import { picturesLeftBehind } from './pictures-left-behind.ts';
import { recorderStall } from './recorder-stall.ts';
import { rowsOfAnotherEpisode } from './rows-of-another-episode.ts';
import { servoSpike } from './servo-spike.ts';
import { stateFrozen } from './state-frozen.ts';
import { stateWidthChanges } from './state-width-changes.ts';
import { statsFromBeforeTrim } from './stats-from-before-trim.ts';
import { statsStale } from './stats-stale.ts';
import { statsStdZero } from './stats-std-zero.ts';
import { statsWithoutAction } from './stats-without-action.ts';
import { taskIndexUnknown } from './task-index-unknown.ts';
import { taskTextContradicts } from './task-text-contradicts.ts';
import { timestampsGap } from './timestamps-gap.ts';
import { timestampsHostClock } from './timestamps-host-clock.ts';
import { timestampsJitter } from './timestamps-jitter.ts';
import { timestampsRepeated } from './timestamps-repeated.ts';
import { timestampsStartLate } from './timestamps-start-late.ts';
import { tinyEpisode } from './tiny-episode.ts';
import { totalEpisodesTooHigh } from './total-episodes-too-high.ts';
import { totalFramesWrong } from './total-frames-wrong.ts';
import { unitChanges } from './unit-changes.ts';
import { v3ColumnUndeclared } from './v3-column-undeclared.ts';
import { v3DataFileStale } from './v3-data-file-stale.ts';
import { v3EpisodeRowMissing } from './v3-episode-row-missing.ts';
import { v3EpisodeRowsReversed } from './v3-episode-rows-reversed.ts';
import { v3EpisodeTableAbsent } from './v3-episode-table-absent.ts';
import { v3EpisodeTableWithoutFooter } from './v3-episode-table-without-footer.ts';
import { v3RowRangeWrong } from './v3-row-range-wrong.ts';
import { v3StatsNotANumber } from './v3-stats-not-a-number.ts';
import { v3StatsOfAnotherSet } from './v3-stats-of-another-set.ts';
import { v3StatsQuantilesSwapped } from './v3-stats-quantiles-swapped.ts';
import { v3TasksReversed } from './v3-tasks-reversed.ts';
import { v3TasksWithoutIndex } from './v3-tasks-without-index.ts';
import { v3VideoColumnsMissing } from './v3-video-columns-missing.ts';
import { v3VideoLostInFile } from './v3-video-lost-in-file.ts';
import { v3WindowDrift } from './v3-window-drift.ts';
import { v3WindowNotReset } from './v3-window-not-reset.ts';
import { v3WindowOfAnotherEpisode } from './v3-window-of-another-episode.ts';
import { v3WindowOffGrid } from './v3-window-off-grid.ts';
import { videoCodecMpeg4 } from './video-codec-mpeg4.ts';
import { videoFramesDropped } from './video-frames-dropped.ts';
import { videoLfsPointer } from './video-lfs-pointer.ts';
import { videoMillisecondStamps } from './video-millisecond-stamps.ts';
import { videoMissing } from './video-missing.ts';
import { videoOtherRate } from './video-other-rate.ts';
import { videoOtherSize } from './video-other-size.ts';
import { videoShortTail } from './video-short-tail.ts';
import { videoTailOfDiscardedTake } from './video-tail-of-discarded-take.ts';
import { videoTruncated } from './video-truncated.ts';

/** In the order of `shared/design/lerobot-failures.md`. */
export const modes: readonly Mode[] = [
  timestampsJitter,
  timestampsStartLate,
  timestampsHostClock,
  timestampsGap,
  timestampsRepeated,
  recorderStall,
  cameraAtAThird,
  fpsWrong,
  videoShortTail,
  videoFramesDropped,
  v3VideoLostInFile,
  videoTailOfDiscardedTake,
  v3WindowDrift,
  v3WindowOffGrid,
  v3WindowNotReset,
  v3WindowOfAnotherEpisode,
  videoMissing,
  videoTruncated,
  videoLfsPointer,
  videoOtherRate,
  videoMillisecondStamps,
  videoOtherSize,
  pictureShapeTurned,
  videoCodecMpeg4,
  cameraDeclaredAbsent,
  camerasSwapped,
  cameraLags,
  cameraFrozen,
  cameraBlack,
  dataWithoutFooter,
  v3EpisodeTableWithoutFooter,
  v3EpisodeTableAbsent,
  totalEpisodesTooHigh,
  v3EpisodeRowsReversed,
  v3EpisodeRowMissing,
  v3DataFileStale,
  v3RowRangeWrong,
  lengthLies,
  rowsOfAnotherEpisode,
  frameIndexHole,
  indexRestarts,
  taskIndexUnknown,
  episodeTaskNotInTable,
  taskTextContradicts,
  v3TasksReversed,
  v3TasksWithoutIndex,
  actionColumnMissing,
  columnInOneEpisode,
  v3ColumnUndeclared,
  stateWidthChanges,
  v3VideoColumnsMissing,
  episodeDeletedByHand,
  episodeFileUnlisted,
  chunkSizeWrong,
  totalFramesWrong,
  namesTooFew,
  picturesLeftBehind,
  statsStale,
  statsFromBeforeTrim,
  v3StatsOfAnotherSet,
  v3StatsQuantilesSwapped,
  statsStdZero,
  statsWithoutAction,
  v3StatsNotANumber,
  notANumber,
  duplicateExact,
  duplicateWithFreshNoise,
  unitChanges,
  jointOffset,
  jointsSwapped,
  stateFrozen,
  servoSpike,
  operatorIdle,
  tinyEpisode,
  instructionWrong,
];
