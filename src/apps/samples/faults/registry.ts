import { defineRegistry } from '#core';
import {
  encoderOffset,
  exchangedColumns,
  flippedJoint,
  gripperScale,
  jointOffset,
  unitChange,
} from './calibration-faults.ts';
import {
  blackVideo,
  frozenVideo,
  laggingCamera,
  missingCamera,
  repeatedBursts,
  slowCamera,
  swappedCameras,
  truncatedVideo,
  wrongFps,
} from './camera-faults.ts';
import { droppedRows, lag, swappedStamps } from './clock-faults.ts';
import {
  duplicateEpisode,
  emptyInstruction,
  idleEpisode,
  replayedEpisode,
  wrongInstruction,
} from './episode-faults.ts';
import type { Fault } from './fault.ts';
import {
  attitudeFailure,
  autopilotFailsafe,
  batterySag,
  estimatorReset,
  gnssLoss,
  motorStop,
  recorderDropout,
} from './flight-faults.ts';
import { chatter, frozenAction, frozenState, jump, notANumber, saturation, spikes } from './signal-faults.ts';

/** Registry of all fault types. */
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
  slowCamera,
  repeatedBursts,
  laggingCamera,
  swappedCameras,
  truncatedVideo,
  wrongFps,
  missingCamera,
  emptyInstruction,
  wrongInstruction,
  duplicateEpisode,
  jointOffset,
  encoderOffset,
  flippedJoint,
  exchangedColumns,
  spikes,
  idleEpisode,
  replayedEpisode,
  gripperScale,
  batterySag,
  gnssLoss,
  recorderDropout,
  attitudeFailure,
  autopilotFailsafe,
  estimatorReset,
  motorStop,
]);
