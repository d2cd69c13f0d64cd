import type { ReadinessSettings } from '#contract';
import { AssayError } from '#kernel';
import type { Recordings } from '../recordings/open-recordings.ts';
import { TempFiles } from '../spool/temp-files.ts';
import { Comparer } from '../steps/compare/comparer.ts';
import { checkedSettings } from './checked-settings.ts';
import { Dispatcher } from './dispatcher.ts';
import { type Looked, look } from './look.ts';
import type { AssessHooks, AssessOptions } from './options.ts';
import { type Plan, planWork, promisesTwoWorkers } from './plan.ts';
import { ProgressMeter } from './progress.ts';
import { collectResult } from './result/collect-result.ts';
import type { AssessmentResult } from './result/result.ts';
import { VerdictList } from './result/verdict-list.ts';
import { workerStarter } from './start-worker.ts';
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
      if (promisesTwoWorkers(bytes, options)) threads.startNext();
    };
    const { signal } = hooks;
    const lookHooks = { onProgress, onListed, onWarning };
    looked = await look(path, threads, lookHooks, { signal, cache_folder: options.cacheFolder });
    hooks.onFound?.();
    const { dispatcher, ...result } = await work(looked, {
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

/** What one assessment works with. */
interface AssessContext {
  readonly options: AssessOptions;
  readonly settings: ReadinessSettings;
  /** Rejects when the assessment is cancelled. */
  readonly aborted: Promise<never>;
  readonly meter: ProgressMeter;
  readonly onWarning: (text: string) => void;
  readonly temp: TempFiles;
  readonly threads: ThreadPool;
}

/** The result and the dispatcher, which has nothing left to do and is the caller's to stop. */
async function work(
  { seen: all, worker }: Looked,
  context: AssessContext,
): Promise<Omit<AssessmentResult, 'close'> & { readonly dispatcher: Dispatcher }> {
  const { options, aborted, meter, temp } = context;
  const plan = planWork(all.found, options);
  if (plan.large) {
    // They have the heap of small recordings.
    await Promise.all([worker.stop(), context.threads.dispose()]);
    context.threads.boundMemory();
  }
  const comparer = new Comparer(
    all.found.map(({ dataset }) => dataset.facts),
    () => temp.open(),
  );
  const drawn = { sketch_codes: options.render === true ? await sketchCodes(plan) : 0 };
  const dispatcher = new Dispatcher(
    plan.workers,
    workerStarter(all, plan, { ...context, ...drawn, looker: plan.large ? null : worker }),
  );
  try {
    meter.stage('measure', { episodes: plan.episodes_expected, bytes: plan.bytes_expected });
    await Promise.race([dispatcher.measure(plan.tasks, (unit) => comparer.add(unit)), aborted]);
    meter.stage('compare', { episodes: 0, bytes: 0 });
    if (plan.large) await dispatcher.rest();
    const fewer = plan.large || dispatcher.measured.size < plan.workers;
    const comparing = comparer.conclude((tasks) => dispatcher.compare(tasks, fewer));
    const compared = await Promise.race([comparing, aborted]);
    const episodes = [...dispatcher.measured.values()].reduce((sum, unit) => sum + unit.episodes, 0);
    meter.stage('judge', { episodes, bytes: 0 });
    const verdicts = new VerdictList(options.details ?? 20);
    const judging = dispatcher.judge(compared.notes, (unit) => verdicts.add(unit));
    const judged = await Promise.race([judging, aborted]);
    meter.stage('done', { episodes, bytes: 0 });
    return {
      ...collectResult({
        all,
        plan,
        dispatcher,
        compared: compared.findings,
        judged,
        verdicts,
        settings: context.settings,
        pictures: options.pictures,
      }),
      dispatcher,
    };
  } catch (thrown) {
    await dispatcher.stop();
    throw thrown;
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

/** What draws is loaded where something is drawn. */
async function sketchCodes({ episodes_expected }: Plan): Promise<number> {
  return (await import('#report')).sketchBudget(episodes_expected);
}

function rejectOnAbort(signal: AbortSignal | undefined) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const onAbort = () => reject(stopped({}));
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort);
  return { promise, dispose: () => signal?.removeEventListener('abort', onAbort) };
}
