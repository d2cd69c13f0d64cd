import type { ReadinessSettings } from '#core/api';
import type { TempFiles } from '../spool/temp-files.ts';
import { Comparer } from '../steps/compare/comparer.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Looked } from './look.ts';
import type { AssessOptions } from './options.ts';
import { type Plan, planWork } from './plan.ts';
import type { ProgressMeter } from './progress.ts';
import { collectResult, VerdictList } from './result/collect-result.ts';
import type { AssessmentResult } from './result/result.ts';
import { workerStarter } from './start-worker.ts';
import type { ThreadPool } from './threads/thread-pool.ts';

/** What one assessment works with. */
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
 * Measures, compares and judges what was found; gives the result and the dispatcher, which has nothing left to do and is
 * the caller's to stop.
 */
export async function measureAndJudge(
  { seen: all, worker }: Looked,
  context: AssessContext,
): Promise<Omit<AssessmentResult, 'close'> & { readonly dispatcher: Dispatcher }> {
  const { options, aborted, meter, temp } = context;
  const plan = planWork(all.found, options);
  if (plan.large) {
    // They have the heap of small recordings.
    await context.threads.boundMemory();
    await worker.stop();
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

/** What draws is loaded where something is drawn. */
async function sketchCodes({ episodes_expected }: Plan): Promise<number> {
  return (await import('#quality/report')).sketchBudget(episodes_expected);
}
