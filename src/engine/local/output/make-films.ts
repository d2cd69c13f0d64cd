import { AssayError } from '#core';
import type { ReportFilm } from '#quality/report';
import type { Recordings } from '../../recordings/open-recordings.ts';
import type { AssessThread } from '../assess-thread.ts';
import { askAgain } from '../look.ts';
import type { AssessHooks, AssessOptions } from '../options.ts';
import { ProgressMeter } from '../progress.ts';
import type { AssessmentResult } from '../result/result.ts';
import { ThreadPool } from '../threads/thread-pool.ts';

/** Throws `usage` where the films of a report cannot be made of what is assessed. */
export function demandFilmable(path: Recordings, { recipe }: AssessOptions): void {
  if (typeof path !== 'string' && path.kind !== 'folder')
    throw new AssayError('usage', '--video takes recordings that lie on this machine', {
      advice: 'leave --video out, or download the recordings first',
    });
  if (recipe !== undefined)
    throw new AssayError('usage', '--video does not go with --recipe yet', {
      advice: 'leave one of them out',
    });
}

/** Makes films of every episode's cameras in `out`, in a thread. Throws `cancelled`, `unfinished`, `output_unwritable`. */
export async function makeFilms(
  out: string,
  path: Recordings,
  { verdicts, datasets }: AssessmentResult,
  { signal, onProgress }: AssessHooks,
): Promise<readonly ReportFilm[]> {
  const meter = new ProgressMeter(onProgress);
  meter.stage('write', { episodes: verdicts.length, bytes: 0 });
  const episodes = verdicts.map(({ dataset, id }, number) => ({
    ...{ number, id },
    dataset: datasets[dataset].path,
  }));
  const ask = (thread: AssessThread, given_up: ReadonlyMap<string, string>) =>
    thread.films({ path, given_up, folder: out, episodes });
  const threads = new ThreadPool();
  const hooks = { onProgress: (done: number) => meter.add(done, 0) };
  try {
    const { answer, worker } = await askAgain(path, threads, hooks, ask, signal);
    await worker.stop();
    return answer;
  } finally {
    await threads.dispose();
  }
}
