import { exportEditIds } from '#bounds';
import { type ExportFormat, inTime } from '../export-format.ts';
import { languageLayers } from '../lerobot/language/language-features.ts';
import { sightingLayers } from '../set/sightings.ts';

export const lerobotV3: ExportFormat = {
  id: 'lerobot-v3',
  title: 'LeRobot v3',
  carries: 'state, action, cameras as video, task text; one rate an episode set',
  kinds: inTime,
  otherwise: 'its rows are steps in time; still pictures have none',
  annotations: [...languageLayers, ...sightingLayers],
  annotations_asked: true,
  edits: exportEditIds,
  writer: async () => (await import('./write-recorded.ts')).openLeRobotV3,
};
