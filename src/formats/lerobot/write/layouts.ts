import type { LeRobotLayout } from './layout.ts';
import { layoutV3 } from './v3/layout.ts';
import { layoutV21 } from './v21/layout.ts';

/** Versions of LeRobot that sets are written in. */
export const lerobotLayouts = { 'lerobot-v3': layoutV3, 'lerobot-v2.1': layoutV21 } satisfies Record<
  string,
  LeRobotLayout
>;
export type LeRobotVersion = keyof typeof lerobotLayouts;

export const isLeRobotVersion = (format: string): format is LeRobotVersion =>
  Object.hasOwn(lerobotLayouts, format);
