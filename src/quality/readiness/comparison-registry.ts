import { defineRegistry } from '#core';
import type { Comparison } from './comparison.ts';
import { cameraLag } from './comparisons/camera-lag.ts';
import { conventionMix } from './comparisons/convention-mix.ts';
import { declaredPictures } from './comparisons/declared-pictures.ts';
import { duplicateEpisode } from './comparisons/duplicate-episode.ts';
import { idleEpisode } from './comparisons/idle-episode.ts';
import { jointOffset } from './comparisons/joint-offset.ts';
import { jointOrder } from './comparisons/joint-order.ts';
import { lagDrift } from './comparisons/lag-drift.ts';
import { missingCamera } from './comparisons/missing-camera.ts';
import { placeholderCamera } from './comparisons/placeholder-camera.ts';
import { schemaDrift } from './comparisons/schema-drift.ts';
import { servedFrames } from './comparisons/served-frames.ts';
import { setStatistics } from './comparisons/set-statistics.ts';
import { splitLeakage } from './comparisons/split-leakage.ts';
import { swappedCameras } from './comparisons/swapped-cameras.ts';
import { unitDrift } from './comparisons/unit-drift.ts';
import { usualMotion } from './comparisons/usual-motion.ts';
import { wrongInstruction } from './comparisons/wrong-instruction.ts';
import { wrongRate } from './comparisons/wrong-rate.ts';

/** All comparisons across the episodes of a dataset. */
export const comparisons = defineRegistry<Comparison>([
  duplicateEpisode,
  splitLeakage,
  schemaDrift,
  missingCamera,
  placeholderCamera,
  declaredPictures,
  servedFrames,
  swappedCameras,
  cameraLag,
  wrongRate,
  unitDrift,
  usualMotion,
  idleEpisode,
  jointOffset,
  jointOrder,
  lagDrift,
  conventionMix,
  wrongInstruction,
  setStatistics,
]);
