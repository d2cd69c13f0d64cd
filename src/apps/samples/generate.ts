import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AssayError, wrapReadError } from '#core';
import type { SetReport, SetRequest } from './set-worker.ts';
import { type SampleSet, sampleSets } from './sets.ts';
import type { SampleManifest, SetTruth } from './truth.ts';

/** Version of the generated samples; raise it when their content changes, so that older copies are regenerated. */
export const samplesVersion = 3;

export interface SampleOptions {
  readonly seed?: number;
  /** Called with the share of the work done, 0 to 1, and the set being written. */
  readonly onProgress?: (share: number, what: string) => void;
  readonly signal?: AbortSignal;
}

/** Folder of the sets below the folder given to `generateSamples`, beside `manifest.json`. */
export const recordingsFolder = 'recordings';

/**
 * Generates the sample recordings in `folder`: one folder for each set below `recordings/`, and `manifest.json` with
 * the planted faults. An existing copy of the same seed and version is reused. Written under a temporary name and
 * renamed when complete. Throws `output_unwritable`, `cancelled`.
 */
export async function generateSamples(folder: string, options: SampleOptions = {}): Promise<SampleManifest> {
  const seed = options.seed ?? 1;
  const target = resolve(folder);
  const present = await readManifest(target);
  if (present?.version === samplesVersion && present.seed === seed) return present;
  const scratch = join(dirname(target), `.${randomUUID()}.partial`);
  try {
    await mkdir(join(scratch, recordingsFolder), { recursive: true });
    const sets = await writeSets(join(scratch, recordingsFolder), seed, options);
    const manifest: SampleManifest = { version: samplesVersion, seed, sets };
    await writeFile(join(scratch, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await rm(target, { recursive: true, force: true });
    await rename(scratch, target);
    return manifest;
  } catch (thrown) {
    await rm(scratch, { recursive: true, force: true }).catch(() => {});
    throw toWriteError(thrown, folder);
  }
}

/** Writes all sets; the first, largest one in a thread of its own. */
async function writeSets(
  folder: string,
  seed: number,
  { onProgress, signal }: SampleOptions,
): Promise<readonly SetTruth[]> {
  const done = new Map<string, number>();
  const progressOf = (set: SampleSet) => (share: number) => {
    if (signal?.aborted === true) throw stoppedError();
    done.set(set.path, share * set.weight);
    const sum = [...done.values()].reduce((total, part) => total + part, 0);
    onProgress?.(Math.min(1, sum), set.path);
  };
  const [first, ...rest] = sampleSets;
  const truths = new Map<string, Omit<SetTruth, 'path'>>();
  const written = await Promise.allSettled([
    writeInThread(first, join(folder, first.path), seed, { onShare: progressOf(first), signal }).then(
      (truth) => truths.set(first.path, truth),
    ),
    ...rest.map(async (set) =>
      truths.set(set.path, await set.write(join(folder, set.path), seed, progressOf(set))),
    ),
  ]);
  for (const one of written) if (one.status === 'rejected') throw one.reason;
  return sampleSets.map(({ path }) => {
    const truth = truths.get(path);
    if (truth === undefined) throw new AssayError('internal', `the sample set ${path} returned no result`);
    return { path: `${recordingsFolder}/${path}`, ...truth };
  });
}

function writeInThread(
  { path }: SampleSet,
  folder: string,
  seed: number,
  { onShare, signal }: { onShare: (share: number) => void; signal: AbortSignal | undefined },
): Promise<Omit<SetTruth, 'path'>> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const request: SetRequest = { path, folder, seed, stop };
  const worker = new Worker(new URL('./set-worker.ts', import.meta.url), { workerData: request });
  // It ends by itself: a thread that is ended while a library writes takes the process with it.
  const onAbort = () => Atomics.store(stop, 0, 1);
  signal?.addEventListener('abort', onAbort);
  let ended: SetReport | null = null;
  return new Promise<Omit<SetTruth, 'path'>>((done, failed) => {
    worker.on('message', (report: SetReport) => {
      if (!('share' in report)) ended = report;
      else if (signal?.aborted !== true) onShare(report.share);
    });
    worker.on('error', failed);
    worker.on('exit', (code) => {
      if (signal?.aborted === true) failed(stoppedError());
      else if (ended !== null && 'truth' in ended) done(ended.truth);
      else if (ended !== null && 'error' in ended) failed(new AssayError('output_unwritable', ended.error));
      else failed(new AssayError('internal', `the thread for ${path} exited with code ${code}`));
    });
  }).finally(() => signal?.removeEventListener('abort', onAbort));
}

const stoppedError = () =>
  new AssayError('cancelled', 'creating the sample recordings was interrupted; none were kept');

function toWriteError(thrown: unknown, folder: string): AssayError {
  const advice = 'check that the folder is writable and that the disk is not full';
  const known = wrapReadError(thrown, folder, advice);
  if (['internal', 'output_unwritable', 'cancelled'].includes(known.code)) return known;
  return new AssayError('output_unwritable', known.message, { path: folder, advice, cause: thrown });
}

async function readManifest(folder: string): Promise<SampleManifest | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as SampleManifest;
  } catch {
    return null;
  }
}
