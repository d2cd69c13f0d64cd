import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '#core';
import { sampleSets } from './sets.ts';
import type { SetTruth } from './truth.ts';

/** What a worker is to write. */
export interface SetRequest {
  readonly path: string;
  readonly folder: string;
  readonly seed: number;
  /** Its first number is no longer 0 once the set is not wanted any more. */
  readonly stop: Int32Array;
}

export type SetReport =
  | { readonly share: number }
  | { readonly truth: Omit<SetTruth, 'path'> }
  | { readonly error: string };

/** Writes one sample set in a thread of its own and reports to whoever started it. */
async function main({ path, folder, seed, stop }: SetRequest): Promise<void> {
  const report = (message: SetReport) => parentPort?.postMessage(message);
  const set = sampleSets.find((candidate) => candidate.path === path);
  if (set === undefined) return report({ error: `there is no sample set ${path}` });
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
