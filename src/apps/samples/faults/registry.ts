import { defineRegistry } from '#core';
import { droppedRows } from './dropped-rows.ts';
import { duplicateEpisode } from './duplicate-episode.ts';
import { emptyInstruction } from './empty-instruction.ts';
import type { Fault } from './fault.ts';
import { attitudeFailure } from './flight/attitude-failure.ts';
import { autopilotFailsafe } from './flight/autopilot-failsafe.ts';
import { batterySag } from './flight/battery-sag.ts';
import { estimatorReset } from './flight/estimator-reset.ts';
import { gnssLoss } from './flight/gnss-loss.ts';
import { motorStop } from './flight/motor-stop.ts';
import { recorderDropout } from './flight/recorder-dropout.ts';
import { idleEpisode } from './idle-episode.ts';
import { replayedEpisode } from './replayed-episode.ts';
import { chatter } from './signals/chatter.ts';
import { encoderOffset } from './signals/encoder-offset.ts';
import { exchangedColumns } from './signals/exchanged-columns.ts';
import { flippedJoint } from './signals/flipped-joint.ts';
import { frozenAction } from './signals/frozen-action.ts';
import { frozenState } from './signals/frozen-state.ts';
import { gripperScale } from './signals/gripper-scale.ts';
import { jointOffset } from './signals/joint-offset.ts';
import { jump } from './signals/jump.ts';
import { lag } from './signals/lag.ts';
import { notANumber } from './signals/nan.ts';
import { repeatedBursts } from './signals/repeated-bursts.ts';
import { saturation } from './signals/saturation.ts';
import { spikes } from './signals/spikes.ts';
import { unitChange } from './signals/unit-change.ts';
import { swappedStamps } from './swapped-stamps.ts';
import { blackVideo } from './video/black-video.ts';
import { frozenVideo } from './video/frozen-video.ts';
import { laggingCamera } from './video/lagging-camera.ts';
import { missingCamera } from './video/missing-camera.ts';
import { slowCamera } from './video/slow-camera.ts';
import { swappedCameras } from './video/swapped-cameras.ts';
import { truncatedVideo } from './video/truncated-video.ts';
import { wrongFps } from './wrong-fps.ts';
import { wrongInstruction } from './wrong-instruction.ts';

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
