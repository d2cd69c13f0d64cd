import { exportEditIds } from '#core/api/bounds';
import { type ExportFormat, timedKinds } from '../../../shared/write/export-format.ts';
import { detectionLayers } from '../../../shared/write/set/judgement.ts';
import { languageLayers } from '../language/language-features.ts';

/** Export format: LeRobot v3.0. */
export const lerobotV3: ExportFormat = {
  id: 'lerobot-v3',
  title: 'LeRobot v3',
  carries: 'state, action, cameras as video, task descriptions; one frame rate per dataset',
  kinds: timedKinds,
  otherwise: 'requires time series; still images have no time axis',
  annotations: [...languageLayers, ...detectionLayers],
  edits: exportEditIds,
  writer: async () => (await import('./open-writers.ts')).openLeRobotV3,
};

/** Export format: LeRobot v2.1. */
export const lerobotV21: ExportFormat = {
  id: 'lerobot-v2.1',
  title: 'LeRobot v2.1',
  carries:
    'same content as LeRobot v3, with one Parquet file and one video file per camera for each episode; for GR00T and LeRobot up to 0.3',
  kinds: timedKinds,
  otherwise: 'requires time series; still images have no time axis',
  annotations: detectionLayers,
  edits: exportEditIds,
  writer: async () => (await import('./open-writers.ts')).openLeRobotV21,
};
