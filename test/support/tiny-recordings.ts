import { join } from 'node:path';
import { writeTeleopLeRobot } from '#apps/samples';

/** Short demonstrations with a camera, two unless told, as a LeRobot set below `folder`. */
export async function writeTinyRecordings(folder: string, episodes = 2): Promise<void> {
  await writeTeleopLeRobot(join(folder, 'teleop'), 7, () => {}, { episodes, plan: {} });
}
