import { join } from 'node:path';
import { writeTeleopLeRobot } from '#apps/samples';

/** Two short demonstrations with a camera, as a LeRobot set below `folder`. */
export async function writeTinyRecordings(folder: string): Promise<void> {
  await writeTeleopLeRobot(join(folder, 'teleop'), 7, () => {}, { episodes: 2, plan: {} });
}
