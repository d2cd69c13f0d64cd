import type { ExportAsked, ExportedSet, ExportPlan, ExportSetTask } from '../../steps/export/export-task.ts';
import type { AssessThread } from '../assess-thread.ts';
import { askAgain } from '../look.ts';
import type { AssessHooks } from '../options.ts';
import { ProgressMeter } from '../progress.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { SourceSet } from './source-sets.ts';

/** Throws what `checkExport` throws: nothing is measured. */
export function checkInThread(sets: readonly SourceSet[], asked: ExportAsked, hooks: AssessHooks) {
  const sources = sets.map(({ name, names, choice: { trims } }) => ({
    ...{ name, names },
    ...(trims === undefined ? {} : { trims }),
  }));
  const paths = sets.map(({ path }) => path);
  const ask = (thread: AssessThread, given_up: ReadonlyMap<string, string>) =>
    thread.checkExport({ paths, given_up, check: { ...asked, sources } });
  return inThread(sets, () => {}, ask, hooks);
}

/** What `exportInThread` would do. */
export function planInThread(
  sets: readonly SourceSet[],
  set: ExportSetTask,
  hooks: AssessHooks,
): Promise<ExportPlan | null> {
  const paths = sets.map(({ path }) => path);
  const ask = (thread: AssessThread, given_up: ReadonlyMap<string, string>) =>
    thread.planExport({ paths, given_up, set });
  return inThread(sets, () => {}, ask, hooks);
}

export function exportInThread(
  sets: readonly SourceSet[],
  set: ExportSetTask,
  hooks: AssessHooks,
): Promise<ExportedSet> {
  const meter = new ProgressMeter(hooks.onProgress);
  const episodes = set.sources.reduce((sum, { keep }) => sum + keep.length, 0);
  meter.stage('export', { episodes, bytes: 0 });
  const paths = sets.map(({ path }) => path);
  const ask = (thread: AssessThread, given_up: ReadonlyMap<string, string>) =>
    thread.export({ paths, given_up, set });
  return inThread(sets, (done) => meter.add(done, 0), ask, hooks);
}

async function inThread<T>(
  [{ path }]: readonly SourceSet[],
  onProgress: (episodes: number) => void,
  ask: (thread: AssessThread, given_up: ReadonlyMap<string, string>) => Promise<T>,
  { signal }: AssessHooks,
): Promise<T> {
  const threads = new ThreadPool();
  try {
    const { answer, worker } = await askAgain(path, threads, { onProgress }, ask, signal);
    await worker.stop();
    return answer;
  } finally {
    await threads.dispose();
  }
}
