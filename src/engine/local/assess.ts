import { AssayError } from '#core';
import type { ReadinessSettings } from '#core/api';
import type { Recordings } from '../recordings/open-recordings.ts';
import { TempFiles } from '../spool/temp-files.ts';
import { type Looked, look } from './look.ts';
import type { AssessHooks, AssessOptions } from './options.ts';
import { promisesTwoWorkers } from './plan.ts';
import { ProgressMeter } from './progress.ts';
import type { AssessmentResult } from './result/result.ts';
import { startThreadEarly, ThreadPool } from './threads/thread-pool.ts';

/**
 * Assesses every recording under `path`. Recordings are opened and read in threads that can be ended, never in the
 * calling one. The result is the same for any number of workers. Throws what makes all of
 * it impossible: `not_found`, `not_permitted`, `not_recognised`, `invalid_settings`, `output_unwritable`, `cancelled`;
 * what concerns one file is a finding.
 */
export async function assess(
  path: Recordings,
  options: AssessOptions = {},
  hooks: AssessHooks = {},
): Promise<AssessmentResult> {
  const settings = await checkedSettings(options.settings);
  const meter = new ProgressMeter(hooks.onProgress);
  meter.stage('look', { episodes: 0, bytes: 0 });
  startThreadEarly();
  const threads = new ThreadPool();
  const temp = new TempFiles();
  const aborted = rejectOnAbort(hooks.signal);
  const onWarning = once(hooks.onWarning);
  let looked: Looked | null = null;
  const end = async () => {
    await looked?.worker.stop();
    await threads.dispose();
  };
  try {
    const onProgress = (episodes: number, bytes: number) => meter.add(episodes, bytes);
    const onListed = (bytes: number) => {
      if (promisesTwoWorkers(bytes, options)) startThreadEarly();
    };
    const { signal } = hooks;
    const lookHooks = { onProgress, onListed, onWarning };
    const looking = look(path, threads, lookHooks, { signal, cache_folder: options.cacheFolder });
    // This thread loads what measures and judges while another looks.
    const loading = import('./measure-and-judge.ts');
    looked = await looking;
    hooks.onFound?.(
      looked.seen.found.map(({ recognised, dataset }) => ({
        path: recognised.path,
        format: dataset.facts.format,
      })),
    );
    const { measureAndJudge } = await loading;
    const { dispatcher, ...result } = await measureAndJudge(looked, {
      options,
      settings,
      aborted: aborted.promise,
      meter,
      onWarning,
      temp,
      threads,
    });
    // Threads end while the result is read.
    const ended = Promise.all([dispatcher.stop(), end()]);
    const close = async () => {
      await ended;
      temp.close();
    };
    return { ...result, close };
  } catch (thrown) {
    await end();
    temp.close();
    throw hooks.signal?.aborted === true ? stopped(options) : thrown;
  } finally {
    aborted.dispose();
  }
}

function stopped({ cacheFolder }: AssessOptions): AssayError {
  const advice =
    cacheFolder === undefined
      ? 'nothing of it is kept'
      : 'what was measured is kept: the same command goes on from there';
  return new AssayError('cancelled', 'stopped before the end', { advice });
}

/** Several threads may say the same. */
function once(hear: ((text: string) => void) | undefined): (text: string) => void {
  const heard = new Set<string>();
  return (text) => {
    if (!heard.has(text)) hear?.(text);
    heard.add(text);
  };
}

function rejectOnAbort(signal: AbortSignal | undefined) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const onAbort = () => reject(stopped({}));
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort);
  return { promise, dispose: () => signal?.removeEventListener('abort', onAbort) };
}

/** Settings as they were given, once their shape is checked. Throws `invalid_settings`. */
async function checkedSettings(raw: unknown): Promise<ReadinessSettings> {
  if (raw === undefined) return {};
  // Schemas take longer to load than a small recording to assess.
  const { parseSettings } = await import('#quality/readiness/documents');
  return parseSettings(raw);
}
