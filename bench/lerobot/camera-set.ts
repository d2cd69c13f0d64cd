import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { writeTeleopLeRobot } from '#apps/samples';
import type { BenchOptions } from '../bench.ts';

/** The folder of a LeRobot v3 set with one 320x240 camera and so many episodes; generated once. */
export async function cameraSet(options: BenchOptions, episodes: number): Promise<string> {
  const folder = join(options.scratch, `camera-${episodes}`);
  if (existsSync(folder)) return folder;
  options.print(`  generating ${episodes} episodes with video once`);
  mkdirSync(`${folder}.partial`, { recursive: true });
  await writeTeleopLeRobot(`${folder}.partial`, 5, () => {}, { episodes, plan: {} });
  renameSync(`${folder}.partial`, folder);
  return folder;
}
