import { exportEditIds } from '#core/api/bounds';
import { type ExportFormat, timedKinds } from '../../../shared/write/export-format.ts';
import { detectionLayers } from '../../../shared/write/set/judgement.ts';

/** Export format: LeRobot v2.1. */
export const lerobotV21: ExportFormat = {
  id: 'lerobot-v2.1',
  title: 'LeRobot v2.1',
  carries:
    'what LeRobot v3 carries, one table and one video file an episode; for GR00T and LeRobot up to 0.3',
  kinds: timedKinds,
  otherwise: 'its rows are steps in time; still pictures have none',
  annotations: detectionLayers,
  annotations_asked: true,
  edits: exportEditIds,
  writer: async () => (await import('./write-recorded.ts')).openLeRobotV21,
};
