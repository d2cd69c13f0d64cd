import { exportEditIds } from '#core/api/bounds';
import { type ExportFormat, inTime } from '../../../shared/write/export-format.ts';
import { sightingLayers } from '../../../shared/write/set/sightings.ts';

export const lerobotV21: ExportFormat = {
  id: 'lerobot-v2.1',
  title: 'LeRobot v2.1',
  carries:
    'what LeRobot v3 carries, one table and one video file an episode; for GR00T and LeRobot up to 0.3',
  kinds: inTime,
  otherwise: 'its rows are steps in time; still pictures have none',
  annotations: sightingLayers,
  annotations_asked: true,
  edits: exportEditIds,
  writer: async () => (await import('./write-recorded.ts')).openLeRobotV21,
};
