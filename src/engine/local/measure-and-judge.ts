import { join } from 'node:path';
import { toJson } from '#core';
import type { ReadinessSettings } from '#core/api';
import type { RecognisedDataset } from '#formats';
import { loaderSeverities } from '#formats/rules';
import type { TempFiles } from '../spool.ts';
import { Comparer } from '../steps/comparer.ts';
import type { DatasetInfos } from '../steps/find-datasets.ts';
import { unpackVerdicts } from '../steps/judge/verdict.ts';
import type { DatasetRef, StepOptions } from '../steps/tasks.ts';
import type { ThreadAnswer, ThreadPool } from '../threads/path-threads.ts';
import type { PathRequest } from '../threads/requests.ts';
import type { StepHooks, StepThread } from '../threads/step-thread.ts';
import { collectResult, VerdictList } from './collect-result.ts';
import { type AssessWorker, Dispatcher } from './dispatcher.ts';
import type { AssessOptions } from './options.ts';
import { type Plan, planWork } from './plan.ts';
import type { ProgressMeter } from './progress.ts';
import type { AssessmentResult } from './result.ts';

/** Datasets that were found, and the thread that has them open. */
export type FoundInThread = ThreadAnswer<Extract<PathRequest, { type: 'find' }>>;

/** Shared state of one assessment. */
export interface AssessContext {
  readonly options: AssessOptions;
  readonly settings: ReadinessSettings;
  /** Rejects when the assessment is cancelled. */
  readonly aborted: Promise<never>;
  readonly meter: ProgressMeter;
  readonly onWarning: (text: string) => void;
  readonly temp: TempFiles;
  readonly threads: ThreadPool;
}

/**
 * Measures, compares and judges the datasets that a thread has open, and returns the result with the idle dispatcher, which
 * the caller must stop.
 */
export async function measureAndJudge(
  { answer: all, thread }: FoundInThread,
  context: AssessContext,
): Promise<Omit<AssessmentResult, 'close'> & { readonly dispatcher: Dispatcher }> {
  const { options, aborted, meter, temp } = context;
  const plan = planWork(all.found, options);
  if (plan.large) {
    // Existing threads have the heap limit for small recordings.
    await context.threads.boundMemory();
    await thread.stop();
  }
  const comparer = new Comparer(
    all.found.map(({ dataset }) => dataset.facts),
    () => temp.open(),
  );
  const drawn = { sketch_codes: options.render === true ? await sketchCodes(plan) : 0 };
  const dispatcher = new Dispatcher(
    plan.workers,
    workerStarter(all, plan, { ...context, ...drawn, openThread: plan.large ? null : thread }),
  );
  try {
    meter.stage('measure', { episodes: plan.episodes_expected, bytes: plan.bytes_expected });
    await Promise.race([dispatcher.measure(plan.tasks, (unit) => comparer.add(unit)), aborted]);
    meter.stage('compare', { episodes: 0, bytes: 0 });
    if (plan.large) await dispatcher.stopIdleThreads();
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

/** Returns the number of codes per sketch; drawing code is loaded on demand. */
async function sketchCodes({ episodes_expected }: Plan): Promise<number> {
  return (await import('#quality/report')).maxSketchSamples(episodes_expected);
}

/** Inputs for starting workers. */
interface StartContext {
  readonly options: AssessOptions;
  readonly settings: ReadinessSettings;
  readonly meter: ProgressMeter;
  readonly onWarning: (text: string) => void;
  readonly temp: TempFiles;
  readonly threads: ThreadPool;
  /** Number of codes of one episode's sketch; 0 without drawing. */
  readonly sketch_codes: number;
  /** Thread that has the datasets open; `null` if it was stopped. */
  readonly openThread: StepThread | null;
}

/** Returns a function that starts workers. The first one reuses the thread that found the datasets. */
function workerStarter(all: DatasetInfos, plan: Plan, context: StartContext): () => AssessWorker {
  const { meter, temp, threads, onWarning } = context;
  const hooks = { onProgress: (episodes: number, bytes: number) => meter.add(episodes, bytes), onWarning };
  const steps = stepOptions(all, plan, context);
  const datasets = createDatasetRefs(all, context);
  let { openThread } = context;
  return () => {
    const thread = openThread ?? threads.take();
    openThread = null;
    thread.open(runKey, { options: steps, datasets, spools: [temp.open(), temp.open(), temp.open()] });
    return toWorker(thread, hooks);
  };
}

/** Key of the run that the threads of an assessment have open. */
const runKey = 'assess';

/** Returns a thread as the dispatcher uses it. */
function toWorker(thread: StepThread, hooks: StepHooks): AssessWorker {
  return {
    measure: async (task) => {
      const units = toJson([{ ...task, attempt: 0 }]);
      const [outcome] = await thread.do({ type: 'measure', run: { key: runKey }, units }, hooks);
      return outcome;
    },
    compare: (task) => thread.do({ type: 'conclude', task }, hooks),
    judge: async (task) => {
      const unit = await thread.do({ type: 'judge-unit', task }, hooks);
      return { ...unit, verdicts: unpackVerdicts(unit.verdicts) };
    },
    stop: () => thread.stop(),
  };
}

/** Returns the default number of thumbnails per camera; fewer for large sets. */
function defaultThumbnails({ episodes_expected }: Plan): number {
  return episodes_expected > 2000 ? 2 : 6;
}

function stepOptions(
  { cache }: DatasetInfos,
  plan: Plan,
  { options, settings, sketch_codes }: StartContext,
): StepOptions {
  return {
    settings,
    kind: options.kind ?? null,
    ...(options.recipe === undefined ? {} : { recipe: options.recipe }),
    ...(options.rate_hz === undefined ? {} : { rate_hz: options.rate_hz }),
    limit: options.limit ?? null,
    ...(options.pictures === undefined || options.pictures === 'sampled'
      ? {}
      : { pictures: options.pictures }),
    seal: options.receipts === true || options.render === true || options.receiptsFolder !== undefined,
    receipts: options.receipts ?? false,
    ...(options.embed === true ? { embed: 'told' } : {}),
    render: options.render ?? false,
    thumbnails: options.render === true ? (options.thumbnails ?? defaultThumbnails(plan)) : 0,
    sketch_codes,
    media_children: plan.media_children,
    ...(plan.large ? { end_decoders: true } : {}),
    reader_threads: plan.reader_threads,
    hold: !plan.large && options.render !== true,
    spool_bytes: plan.large ? 1e6 : 8e6,
    receipts_from: options.receiptsFrom ?? '',
    ...(cache === null ? {} : { cache }),
  };
}

function createDatasetRefs(
  { path, found }: DatasetInfos,
  { options, settings }: Pick<StartContext, 'options' | 'settings'>,
): DatasetRef[] {
  const single = found.length === 1;
  const taken = new Set<string>();
  return found.map(({ recognised, root, stamp, dataset }, index) => {
    const folder = single ? 'receipts' : `receipts/${uniqueFolderName(recognised, taken)}`;
    return {
      index,
      path,
      root,
      recognised,
      stamp,
      snapshot: dataset.snapshot,
      severities: loaderSeverities(dataset.facts, settings.loaders),
      receipts_folder: options.receiptsFolder === undefined ? null : join(options.receiptsFolder, folder),
      receipts_name: folder,
      many: dataset.units.reduce((sum, unit) => sum + unit.expected_episodes, 0) > 1000,
    };
  });
}

/** Returns a unique, valid folder name for a dataset. */
function uniqueFolderName({ path, recognition }: RecognisedDataset, taken: Set<string>): string {
  const safe = (path || recognition.format).replace(/[^\w.-]+/g, '_').replace(/^\.+/, '') || 'dataset';
  let unique = safe;
  for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${safe}_${n}`;
  taken.add(unique.toLowerCase());
  return unique;
}
