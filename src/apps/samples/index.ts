export { writeDrives } from './drive-set.ts';
export {
  blackFrame,
  type EpisodeFault,
  type Fault,
  type FaultSize,
  type FramePlan,
  faultSizes,
  type Planted,
  type PlantedMark,
  type VideoFault,
} from './faults/fault.ts';
export { faults } from './faults/registry.ts';
export { generateSamples, recordingsFolder, type SampleOptions, samplesVersion } from './generate.ts';
export { type TeleopOptions, writeTeleopLeRobot } from './teleop/lerobot-set.ts';
export { writeTeleopMcap } from './teleop/mcap-set.ts';
export { cameraSize as teleopCameraSize } from './teleop/scene.ts';
export { picturesOfTake } from './teleop/take-video.ts';
export type { EpisodeTruth, PlantedTruth, SampleManifest, SetTruth } from './truth.ts';
export { twins } from './twins/registry.ts';
export type { EpisodeTwin, SetTwin, Twin, VideoTwin } from './twins/twin.ts';
