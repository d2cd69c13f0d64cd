import { exportEditIds } from '#core/api/bounds';
import { type ExportFormat, inTime } from '../../../shared/write/export-format.ts';
import { sightingLayers } from '../../../shared/write/set/sightings.ts';
import { languageLayers } from '../language/language-features.ts';

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
