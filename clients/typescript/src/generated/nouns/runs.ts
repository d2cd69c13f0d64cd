// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions, StreamOptions } from '../../options.ts';
import type {
  CancelRunInput,
  GetRunInput,
  GetRunReportInput,
  ListRunFindingsInput,
  ListRunsInput,
  PlanRunInput,
  ResumeRunInput,
  StartRunInput,
  StreamRunEvent,
  StreamRunInput,
} from '../types/runs-calls.ts';
import type { RunPlan } from '../types/runs.ts';
import type { Finding, Page, Run } from '../types/shared.ts';

export const runs = ({ call, follow }: Calls) => ({
  /**
   * Plan a run: what it would do and cost.
   *
   * Lists the source and reads no episode. The same source under the same settings gives the same plan.
   *
   * Needs the role `engineer`.
   */
  plan: (input: PlanRunInput, options?: CallOptions): Promise<RunPlan> => call('plan_run', input, options),

  /**
   * Start a run of a source.
   *
   * A source has one run at a time: if one is queued or running, that run is returned and no second one
   * starts. With `plan_hash` the source is planned again first, and the start is refused if the plan has
   * changed. Under a weekly cap the cost is estimated first, and a run that does not fit is refused with
   * 402.
   *
   * Needs the role `engineer`.
   */
  start: (input: StartRunInput, options?: CallOptions): Promise<Run> => call('start_run', input, options),

  /**
   * List runs, newest first.
   *
   * Needs the role `viewer`.
   */
  list: (input: ListRunsInput, options?: CallOptions): Promise<Page<Run>> =>
    call('list_runs', input, options),

  /**
   * Get one run.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetRunInput, options?: CallOptions): Promise<Run> => call('get_run', input, options),

  /**
   * Cancel a run and keep what is measured and judged.
   *
   * Takes effect at once: nothing more is written, and workers stop within two seconds.
   *
   * Needs the role `engineer`.
   */
  cancel: (input: CancelRunInput, options?: CallOptions): Promise<Run> => call('cancel_run', input, options),

  /**
   * Resume a run that failed or was cancelled, without measuring anything twice.
   *
   * Needs the role `engineer`.
   */
  resume: (input: ResumeRunInput, options?: CallOptions): Promise<Run> => call('resume_run', input, options),

  /**
   * Stream a run’s progress until it ends.
   *
   * The first event is the run as it is. Then come `run` after each change, `progress` a few times a
   * second, and `finding`. Ids grow: a client that reconnects with the last one as `Last-Event-ID`
   * continues after it.
   *
   * Needs the role `viewer`.
   */
  stream: (input: StreamRunInput, options?: StreamOptions): AsyncGenerator<StreamRunEvent> =>
    follow('stream_run', input, options),

  /**
   * List a run’s findings on the recordings as a whole.
   *
   * Needs the role `viewer`.
   */
  listFindings: (input: ListRunFindingsInput, options?: CallOptions): Promise<Page<Finding>> =>
    call('list_run_findings', input, options),

  /**
   * Get a file of a finished run’s report; `index.html` is its first page.
   *
   * The report is made on the first request. A file’s bytes never change.
   *
   * Needs the role `viewer`.
   */
  getReport: (input: GetRunReportInput, options?: CallOptions): Promise<Response> =>
    call('get_run_report', input, options),
});
