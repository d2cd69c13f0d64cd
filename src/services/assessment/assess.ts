import { join } from 'node:path';
import type { Claim } from '#formats';
import { AssayError } from '#kernel';
import { resolveSettings } from '#readiness';
import { sketchBudget } from '#report';
import { boundMemory } from './bound-memory.ts';
import { collectResult } from './collect-result.ts';
import { Comparer } from './comparer.ts';
import { Crew } from './crew.ts';
import { type FoundDatasets, findDatasets } from './datasets.ts';
import type { Hand } from './hand.ts';
import { createInlineHand } from './inline-hand.ts';
import type { DatasetRef, Job, WorkerStart } from './messages.ts';
import type { AssessHooks, AssessOptions } from './options.ts';
import { type Plan, planWork } from './plan.ts';
import { ProgressMeter } from './progress.ts';
import type { AssessmentResult } from './result.ts';
import { TempFiles } from './temp-files.ts';
import { ThreadHand } from './thread-hand.ts';
import { VerdictList } from './verdict-list.ts';

/**
 * Assesses every recording under `path`. The result is the same for any number of workers. Throws what makes all of
 * it impossible: `not_found`, `not_permitted`, `not_recognised`, `invalid_settings`, `output_unwritable`, `cancelled`;
 * what concerns one file is a finding.
 */
export async function assess(
  path: string,
  options: AssessOptions = {},
  hooks: AssessHooks = {},
): Promise<AssessmentResult> {
  resolveSettings(options.settings);
  const meter = new ProgressMeter(hooks.onProgress);
  meter.stage('look', { episodes: 0, bytes: 0 });
  const all = await findDatasets(path);
  const temp = new TempFiles();
  try {
    return await work(all, options, hooks, meter, temp);
  } catch (thrown) {
    temp.close();
    throw hooks.signal?.aborted === true ? new AssayError('cancelled', 'stopped before the end') : thrown;
  } finally {
    await Promise.all(all.found.map(({ dataset }) => dataset.close().catch(() => {})));
  }
}

async function work(
  all: FoundDatasets,
  options: AssessOptions,
  hooks: AssessHooks,
  meter: ProgressMeter,
  temp: TempFiles,
): Promise<AssessmentResult> {
  const plan = planWork(all.found, options);
  if (plan.large) boundMemory();
  const end = new AbortController();
  const signal = hooks.signal === undefined ? end.signal : AbortSignal.any([hooks.signal, end.signal]);
  const comparer = new Comparer(
    all.found.map(({ dataset }) => dataset.facts),
    () => temp.open(),
  );
  const crew = new Crew(plan.hands, hiring(all, plan, options, signal, meter, temp));
  const aborted = rejectOnAbort(hooks.signal);
  try {
    meter.stage('measure', { episodes: plan.episodes_expected, bytes: plan.bytes_expected });
    await Promise.race([crew.measure(plan.tasks, (unit) => comparer.add(unit)), aborted.promise]);
    meter.stage('compare', { episodes: 0, bytes: 0 });
    if (plan.large) await crew.rest();
    const compared = comparer.conclude();
    const episodes = [...crew.measured.values()].reduce((sum, unit) => sum + unit.episodes, 0);
    meter.stage('judge', { episodes, bytes: 0 });
    const verdicts = new VerdictList(options.details ?? 20);
    const judging = crew.judge(compared.notes, (unit) => verdicts.add(unit));
    const judged = await Promise.race([judging, aborted.promise]);
    meter.stage('done', { episodes, bytes: 0 });
    const result = collectResult({ all, plan, crew, compared: compared.findings, judged, verdicts });
    return { ...result, close: async () => temp.close() };
  } finally {
    aborted.dispose();
    end.abort();
    await crew.stop();
  }
}

/** Slot 0 works in this thread on what is open already; the others are threads. */
function hiring(
  all: FoundDatasets,
  plan: Plan,
  options: AssessOptions,
  signal: AbortSignal,
  meter: ProgressMeter,
  temp: TempFiles,
): (slot: number) => Hand {
  const onProgress = (episodes: number, bytes: number) => meter.add(episodes, bytes);
  const job = jobOf(plan, options);
  const datasets = refsOf(all, options);
  const opened = all.found.map(({ dataset }) => dataset);
  return (slot) => {
    if (slot === 0) {
      const start: WorkerStart = { job, datasets, spools: [-1, -1, -1] };
      return createInlineHand(start, () => temp.open(), { signal, onProgress }, opened);
    }
    const start: WorkerStart = { job, datasets, spools: [temp.open(), temp.open(), temp.open()] };
    return new ThreadHand({ start, onProgress, heap_mb: 1024 });
  };
}

function jobOf(plan: Plan, options: AssessOptions): Job {
  return {
    settings: options.settings,
    kind: options.kind ?? null,
    limit: options.limit ?? null,
    receipts: options.receipts ?? false,
    render: options.render ?? false,
    thumbnails: options.render === true ? (options.thumbnails ?? 6) : 0,
    sketch_codes: sketchBudget(plan.episodes_expected),
    media_children: plan.media_children,
    hold: !plan.large && options.render !== true,
    spool_bytes: 8e6,
    receipts_from: options.receiptsFrom ?? '',
  };
}

function refsOf({ path, found }: FoundDatasets, options: AssessOptions): DatasetRef[] {
  const single = found.length === 1;
  const taken = new Set<string>();
  return found.map(({ claim, root, dataset }, index) => {
    const folder = single ? 'receipts' : `receipts/${folderName(claim, taken)}`;
    return {
      index,
      path,
      root,
      claim,
      receipts_folder: options.receiptsFolder === undefined ? null : join(options.receiptsFolder, folder),
      receipts_name: folder,
      many: dataset.units.reduce((sum, unit) => sum + unit.expected_episodes, 0) > 1000,
    };
  });
}

/** A dataset's name as one folder name, unlike all names before. */
function folderName({ path, recognition }: Claim, taken: Set<string>): string {
  const safe = (path || recognition.format).replace(/[^\w.-]+/g, '_').replace(/^\.+/, '') || 'dataset';
  let unique = safe;
  for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${safe}_${n}`;
  taken.add(unique.toLowerCase());
  return unique;
}

function rejectOnAbort(signal: AbortSignal | undefined) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const onAbort = () => reject(new AssayError('cancelled', 'stopped before the end'));
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort);
  return { promise, dispose: () => signal?.removeEventListener('abort', onAbort) };
}
