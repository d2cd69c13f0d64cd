import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AssayError, asUnreadable } from '#kernel';
import type { SetOrder, SetReport } from './set-worker.ts';
import { type SampleSet, sampleSets } from './sets.ts';
import type { SampleManifest, SetTruth } from './truth.ts';

/** Rises whenever what is generated changes, so that an older copy is made anew. */
const version = 3;

export interface SampleOptions {
  readonly seed?: number;
  /** Share of the work done, 0..1, and what is being written. */
  readonly onProgress?: (share: number, what: string) => void;
}

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
    await mkdir(join(scratch, recordingsFolder), { recursive: true });
    const sets = await writeSets(join(scratch, recordingsFolder), seed, options.onProgress);
    const manifest: SampleManifest = { version, seed, sets };
    await writeFile(join(scratch, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await rm(target, { recursive: true, force: true });
    await rename(scratch, target);
    return manifest;
  } catch (thrown) {
    await rm(scratch, { recursive: true, force: true }).catch(() => {});
    throw unwritable(thrown, folder);
  }
}

/** The largest set has a thread of its own, the others share this one. */
async function writeSets(
  folder: string,
  seed: number,
  onProgress: SampleOptions['onProgress'],
): Promise<readonly SetTruth[]> {
  const done = new Map<string, number>();
  const progressOf = (set: SampleSet) => (share: number) => {
    done.set(set.path, share * set.weight);
    const sum = [...done.values()].reduce((total, part) => total + part, 0);
    onProgress?.(Math.min(1, sum), set.path);
  };
  const [first, ...rest] = sampleSets;
  const truths = new Map<string, Omit<SetTruth, 'path'>>();
  await Promise.all([
    inThread(first, join(folder, first.path), seed, progressOf(first)).then((truth) =>
      truths.set(first.path, truth),
    ),
    ...rest.map(async (set) =>
      truths.set(set.path, await set.write(join(folder, set.path), seed, progressOf(set))),
    ),
  ]);
  return sampleSets.map(({ path }) => {
    const truth = truths.get(path);
    if (truth === undefined) throw new AssayError('internal', `the sample set ${path} said nothing`);
    return { path: `${recordingsFolder}/${path}`, ...truth };
  });
}

function inThread(
  { path }: SampleSet,
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
): Promise<Omit<SetTruth, 'path'>> {
  const order: SetOrder = { path, folder, seed };
  const worker = new Worker(new URL('./set-worker.ts', import.meta.url), { workerData: order });
  return new Promise((done, failed) => {
    worker.on('message', (report: SetReport) => {
      if ('share' in report) onProgress(report.share);
      else if ('truth' in report) done(report.truth);
      else failed(new AssayError('output_unwritable', report.error));
    });
    worker.on('error', failed);
    worker.on('exit', (code) =>
      failed(new AssayError('internal', `the thread for ${path} ended with ${code}`)),
    );
  });
}

function unwritable(thrown: unknown, folder: string): AssayError {
  const advice = 'check that the folder may be written to and that the disk is not full';
  const known = asUnreadable(thrown, folder, advice);
  if (known.code === 'internal' || known.code === 'output_unwritable') return known;
  return new AssayError('output_unwritable', known.message, { path: folder, advice, cause: thrown });
}

async function presentManifest(folder: string): Promise<SampleManifest | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as SampleManifest;
  } catch {
    return null;
  }
}
