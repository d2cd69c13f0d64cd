import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '#core';
import { sampleSets } from './sets.ts';
import type { SetTruth } from './truth.ts';

/** Request to a worker thread to write a set. */
export interface SetRequest {
  readonly path: string;
  readonly folder: string;
  readonly seed: number;
  /** Shared flag; a value other than 0 in element 0 tells the worker to stop. */
  readonly stop: Int32Array;
}

export type SetReport =
  | { readonly share: number }
  | { readonly truth: Omit<SetTruth, 'path'> }
  | { readonly error: string };

/** Writes one sample set in this thread and posts progress and result to the parent. */
async function main({ path, folder, seed, stop }: SetRequest): Promise<void> {
  const report = (message: SetReport) => parentPort?.postMessage(message);
  const set = sampleSets.find((candidate) => candidate.path === path);
  if (set === undefined) return report({ error: `unknown sample set ${path}` });
  try {
    const truth = await set.write(folder, seed, (share) => {
      if (Atomics.load(stop, 0) !== 0) throw new Error('it was stopped');
      report({ share });
    });
    report({ truth });
  } catch (thrown) {
    report({ error: messageOf(thrown) });
  }
}

await main(workerData as SetRequest);
