import { AssayError } from '#core';
import type { ReadinessSettings } from '#core/api';
import type { Recordings } from '../open-recordings.ts';
import { TempFiles } from '../spool.ts';
import { askThread, startThreadEarly, ThreadPool } from '../threads/path-threads.ts';
import type { FoundInThread } from './measure-and-judge.ts';
import type { AssessHooks, AssessOptions } from './options.ts';
import { expectsTwoWorkers } from './plan.ts';
import { ProgressMeter } from './progress.ts';
import type { AssessmentResult } from './result.ts';

/**
 * Measures, compares and judges every recording under `path` in worker threads, and returns the result, which the caller must
 * close. Recordings are read only in worker threads, which can be ended. The result does not depend on the number of workers.
 * Problems of single files become findings. Throws errors that affect everything: `not_found`, `not_permitted`,
 * `not_recognised`, `invalid_settings`, `output_unwritable`, `cancelled`.
 */
export async function assess(
  path: Recordings,
  options: AssessOptions = {},
  hooks: AssessHooks = {},
): Promise<AssessmentResult> {
  const settings = await parseAssessSettings(options);
  const meter = new ProgressMeter(hooks.onProgress);
  meter.stage('look', { episodes: 0, bytes: 0 });
  startThreadEarly();
  const threads = new ThreadPool();
  const temp = new TempFiles();
  const aborted = rejectOnAbort(hooks.signal);
  const onWarning = oncePerText(hooks.onWarning);
  let found: FoundInThread | null = null;
  const end = async () => {
    await found?.thread.stop();
    await threads.dispose();
  };
  try {
    const onProgress = (episodes: number, bytes: number) => meter.add(episodes, bytes);
    const onListed = (bytes: number) => {
      if (expectsTwoWorkers(bytes, options)) startThreadEarly();
    };
    const { cacheFolder: cache_folder } = options;
    const request = {
      type: 'find',
      recordings: path,
      ...(cache_folder === undefined ? {} : { cache_folder }),
    } as const;
    const finding = askThread(request, threads, { onProgress, onListed, onWarning }, hooks.signal);
    // Load the code for measuring and judging while another thread looks.
    const loading = import('./measure-and-judge.ts');
    found = await finding;
    hooks.onFound?.(
      found.answer.found.map(({ recognised, dataset }) => ({
        path: recognised.path,
        format: dataset.facts.format,
        findings: dataset.findings,
      })),
    );
    const { measureAndJudge } = await loading;
    const { dispatcher, ...result } = await measureAndJudge(found, {
      options,
      settings,
      aborted: aborted.promise,
      meter,
      onWarning,
      temp,
      threads,
    });
    // Threads end while the caller reads the result.
    const ended = Promise.all([dispatcher.stop(), end()]);
    const close = async () => {
      await ended;
      temp.close();
    };
    return { ...result, close };
  } catch (thrown) {
    await end();
    temp.close();
    throw hooks.signal?.aborted === true ? stoppedError(options) : thrown;
  } finally {
    aborted.dispose();
  }
}

function stoppedError({ cacheFolder }: AssessOptions): AssayError {
  const advice =
    cacheFolder === undefined
      ? 'nothing was saved'
      : 'finished measurements are saved: run the same command to continue';
  return new AssayError('cancelled', 'stopped before it finished', { advice });
}

/** Returns a function that passes each distinct text on once, since several threads may report the same. */
function oncePerText(hear: ((text: string) => void) | undefined): (text: string) => void {
  const heard = new Set<string>();
  return (text) => {
    if (!heard.has(text)) hear?.(text);
    heard.add(text);
  };
}

function rejectOnAbort(signal: AbortSignal | undefined) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const onAbort = () => reject(stoppedError({}));
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort);
  return { promise, dispose: () => signal?.removeEventListener('abort', onAbort) };
}

/** Returns the validated settings with the loaders that were asked for. Throws `invalid_settings`. */
async function parseAssessSettings({ settings, loaders }: AssessOptions): Promise<ReadinessSettings> {
  const raw = await parseRawSettings(settings);
  return loaders === undefined ? raw : { ...raw, loaders: [...loaders] };
}

async function parseRawSettings(raw: unknown): Promise<ReadinessSettings> {
  if (raw === undefined) return {};
  // Schemas are loaded on demand; that takes longer than assessing a small recording.
  const { parseSettings } = await import('#quality/readiness/documents');
  return parseSettings(raw);
}
