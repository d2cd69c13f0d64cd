import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '#kernel';
import { sampleSets } from './sets.ts';
import type { SetTruth } from './truth.ts';

/** What a worker is to write. */
export interface SetOrder {
  readonly path: string;
  readonly folder: string;
  readonly seed: number;
}

export type SetReport =
  | { readonly share: number }
  | { readonly truth: Omit<SetTruth, 'path'> }
  | { readonly error: string };

/** Writes one sample set in a thread of its own and reports to whoever started it. */
async function main({ path, folder, seed }: SetOrder): Promise<void> {
  const report = (message: SetReport) => parentPort?.postMessage(message);
  const set = sampleSets.find((candidate) => candidate.path === path);
  if (set === undefined) return report({ error: `there is no sample set ${path}` });
  try {
    report({ truth: await set.write(folder, seed, (share) => report({ share })) });
  } catch (thrown) {
    report({ error: messageOf(thrown) });
  }
}

await main(workerData as SetOrder);
