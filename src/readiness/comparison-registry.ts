import { defineRegistry } from '#kernel';
import type { Comparison } from './comparison.ts';
import { conventionMix } from './comparisons/convention-mix.ts';
import { duplicateEpisode } from './comparisons/duplicate-episode.ts';
import { jointOffset } from './comparisons/joint-offset.ts';
import { lagDrift } from './comparisons/lag-drift.ts';
import { missingCamera } from './comparisons/missing-camera.ts';
import { placeholderCamera } from './comparisons/placeholder-camera.ts';
import { schemaDrift } from './comparisons/schema-drift.ts';
import { unitDrift } from './comparisons/unit-drift.ts';
import { wrongInstruction } from './comparisons/wrong-instruction.ts';
import { wrongRate } from './comparisons/wrong-rate.ts';

/** Every look across the episodes of a dataset. */
export const comparisons = defineRegistry<Comparison>([
  duplicateEpisode,
  schemaDrift,
  missingCamera,
  placeholderCamera,
  wrongRate,
  unitDrift,
  jointOffset,
  lagDrift,
  conventionMix,
  wrongInstruction,
]);
