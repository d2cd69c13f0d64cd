import { writeDrives } from './drive-set.ts';
import { writeEgocentric } from './egocentric-set.ts';
import { writeFlights } from './flight-set.ts';
import { writePictures } from './picture-set.ts';
import { writeTeleopLeRobot } from './teleop/lerobot-set.ts';
import { writeTeleopMcap } from './teleop/mcap-set.ts';
import type { SetTruth } from './truth.ts';

export interface SampleSet {
  /** Folder name of the set. */
  readonly path: string;
  /** Share of the total work, for progress; the shares add up to 1. */
  readonly weight: number;
  write(folder: string, seed: number, onProgress: (share: number) => void): Promise<Omit<SetTruth, 'path'>>;
}

/** All sample sets, in the order of the manifest. */
export const sampleSets: readonly SampleSet[] = [
  { path: 'teleop-lerobot', weight: 0.54, write: writeTeleopLeRobot },
  { path: 'teleop-mcap', weight: 0.2, write: writeTeleopMcap },
  { path: 'drive', weight: 0.12, write: writeDrives },
  { path: 'flight', weight: 0.02, write: writeFlights },
  { path: 'egocentric', weight: 0.1, write: writeEgocentric },
  { path: 'pictures', weight: 0.02, write: writePictures },
];
