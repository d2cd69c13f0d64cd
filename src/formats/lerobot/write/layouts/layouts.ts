import type { LeRobotLayout } from './layout.ts';
import { layoutV3 } from './v3-layout.ts';
import { layoutV21 } from './v21-layout.ts';

/** Layouts by export format id. */
export const lerobotLayouts = { 'lerobot-v3': layoutV3, 'lerobot-v2.1': layoutV21 } satisfies Record<
  string,
  LeRobotLayout
>;
/** Export format id of a LeRobot version. */
export type LeRobotVersion = keyof typeof lerobotLayouts;

/** Returns true for the export format ids `lerobot-v3` and `lerobot-v2.1`. */
export const isLeRobotVersion = (format: string): format is LeRobotVersion =>
  Object.hasOwn(lerobotLayouts, format);
