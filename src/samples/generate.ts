import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { asUnreadable } from '#kernel';
import { writeTeleopLeRobot } from './teleop/lerobot-set.ts';
import { writeTeleopMcap } from './teleop/mcap-set.ts';
import type { SampleManifest, SetTruth } from './truth.ts';

/** Rises whenever what is generated changes, so that an older copy is made anew. */
const version = 1;

export interface SampleOptions {
  readonly seed?: number;
  /** Share of the work done, 0..1, and what is being written. */
  readonly onProgress?: (share: number, what: string) => void;
}

interface SampleSet {
  readonly path: string;
  /** Part of the whole work, for progress. */
  readonly weight: number;
  write(folder: string, seed: number, onProgress: (share: number) => void): Promise<Omit<SetTruth, 'path'>>;
}

const sets: readonly SampleSet[] = [
  { path: 'teleop-lerobot', weight: 0.6, write: writeTeleopLeRobot },
  { path: 'teleop-mcap', weight: 0.4, write: writeTeleopMcap },
];

/** Where the sets lie, below the folder given to `generateSamples`. `manifest.json` lies beside it. */
export const recordingsFolder = 'recordings';

/**
 * Makes the sample recordings in `folder`: one folder a set under `recordings/`, and `manifest.json` with the truth
 * beside it. A copy of the same seed and version is used again. Written under a temporary name and renamed when
 * whole, so a copy that was cut short is never found. Throws `output_unwritable`.
 */
export async function generateSamples(folder: string, options: SampleOptions = {}): Promise<SampleManifest> {
  const seed = options.seed ?? 1;
  const target = resolve(folder);
  const present = await presentManifest(target);
  if (present?.version === version && present.seed === seed) return present;
  const scratch = join(dirname(target), `.${randomUUID()}.partial`);
  try {
    await mkdir(scratch, { recursive: true });
    const manifest: SampleManifest = {
      version,
      seed,
      sets: await writeSets(scratch, seed, options.onProgress),
    };
    await writeFile(join(scratch, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await rm(target, { recursive: true, force: true });
    await rename(scratch, target);
    return manifest;
  } catch (thrown) {
    await rm(scratch, { recursive: true, force: true });
    throw asUnreadable(
      thrown,
      folder,
      'check that the folder may be written to and that the disk is not full',
    );
  }
}

async function writeSets(
  scratch: string,
  seed: number,
  onProgress: SampleOptions['onProgress'],
): Promise<readonly SetTruth[]> {
  const done = new Map<string, number>();
  const written = sets.map(async ({ path, weight, write }) => {
    const truth = await write(join(scratch, recordingsFolder, path), seed, (share) => {
      done.set(path, share * weight);
      onProgress?.(
        Math.min(
          1,
          [...done.values()].reduce((sum, part) => sum + part, 0),
        ),
        path,
      );
    });
    return { path: `${recordingsFolder}/${path}`, ...truth };
  });
  return Promise.all(written);
}

async function presentManifest(folder: string): Promise<SampleManifest | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as SampleManifest;
  } catch {
    return null;
  }
}
