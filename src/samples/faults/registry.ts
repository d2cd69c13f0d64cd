import { defineRegistry } from '#kernel';
import { batterySag } from './battery-sag.ts';
import { blackVideo } from './black-video.ts';
import { chatter } from './chatter.ts';
import { droppedRows } from './dropped-rows.ts';
import { duplicateEpisode } from './duplicate-episode.ts';
import { emptyInstruction } from './empty-instruction.ts';
import type { Fault } from './fault.ts';
import { frozenAction } from './frozen-action.ts';
import { frozenState } from './frozen-state.ts';
import { frozenVideo } from './frozen-video.ts';
import { gnssLoss } from './gnss-loss.ts';
import { jointOffset } from './joint-offset.ts';
import { jump } from './jump.ts';
import { lag } from './lag.ts';
import { missingCamera } from './missing-camera.ts';
import { notANumber } from './nan.ts';
import { recorderDropout } from './recorder-dropout.ts';
import { saturation } from './saturation.ts';
import { swappedStamps } from './swapped-stamps.ts';
import { truncatedVideo } from './truncated-video.ts';
import { unitChange } from './unit-change.ts';
import { wrongFps } from './wrong-fps.ts';
import { wrongInstruction } from './wrong-instruction.ts';

/** Every family of planted faults. */
export const faults = defineRegistry<Fault>([
  droppedRows,
  swappedStamps,
  notANumber,
  frozenState,
  frozenAction,
  lag,
  jump,
  unitChange,
  saturation,
  chatter,
  blackVideo,
  frozenVideo,
  truncatedVideo,
  wrongFps,
  missingCamera,
  emptyInstruction,
  wrongInstruction,
  duplicateEpisode,
  jointOffset,
  batterySag,
  gnssLoss,
  recorderDropout,
]);
