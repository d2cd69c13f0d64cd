import { exportEditIds } from '#core/api/bounds';
import { type ExportFormat, timedKinds } from '../../../shared/write/export-format.ts';
import { detectionLayers } from '../../../shared/write/set/judgement.ts';

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
  writer: async () => (await import('./write-recorded.ts')).openLeRobotV21,
};
