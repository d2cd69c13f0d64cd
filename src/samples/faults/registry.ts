import { defineRegistry } from '#kernel';
import { attitudeFailure } from './attitude-failure.ts';
import { autopilotFailsafe } from './autopilot-failsafe.ts';
import { batterySag } from './battery-sag.ts';
import { blackVideo } from './black-video.ts';
import { chatter } from './chatter.ts';
import { droppedRows } from './dropped-rows.ts';
import { duplicateEpisode } from './duplicate-episode.ts';
import { emptyInstruction } from './empty-instruction.ts';
import { encoderOffset } from './encoder-offset.ts';
import { estimatorReset } from './estimator-reset.ts';
import { exchangedColumns } from './exchanged-columns.ts';
import type { Fault } from './fault.ts';
import { flippedJoint } from './flipped-joint.ts';
import { frozenAction } from './frozen-action.ts';
import { frozenState } from './frozen-state.ts';
import { frozenVideo } from './frozen-video.ts';
import { gnssLoss } from './gnss-loss.ts';
import { gripperScale } from './gripper-scale.ts';
import { idleEpisode } from './idle-episode.ts';
import { jointOffset } from './joint-offset.ts';
import { jump } from './jump.ts';
import { lag } from './lag.ts';
import { laggingCamera } from './lagging-camera.ts';
import { missingCamera } from './missing-camera.ts';
import { motorStop } from './motor-stop.ts';
import { notANumber } from './nan.ts';
import { recorderDropout } from './recorder-dropout.ts';
import { repeatedBursts } from './repeated-bursts.ts';
import { replayedEpisode } from './replayed-episode.ts';
import { saturation } from './saturation.ts';
import { slowCamera } from './slow-camera.ts';
import { spikes } from './spikes.ts';
import { swappedCameras } from './swapped-cameras.ts';
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
