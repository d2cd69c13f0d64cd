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
   * Plan a run and estimate its cost.
   *
   * Lists the files of the source without reading episodes. The same source and settings give the same
   * plan.
   *
   * Requires the role `engineer` or higher.
   */
  plan: (input: PlanRunInput, options?: CallOptions): Promise<RunPlan> => call('plan_run', input, options),

  /**
   * Start a run.
   *
   * A source has at most one run at a time: if one is queued or running, that run is returned. With
   * `plan_hash` the source is planned again first; returns 409 if the plan has changed. Returns 402 if
   * the estimated cost exceeds the remaining weekly budget.
   *
   * Requires the role `engineer` or higher.
   */
  start: (input: StartRunInput, options?: CallOptions): Promise<Run> => call('start_run', input, options),

  /**
   * List runs, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListRunsInput, options?: CallOptions): Promise<Page<Run>> =>
    call('list_runs', input, options),

  /**
   * Get a run.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetRunInput, options?: CallOptions): Promise<Run> => call('get_run', input, options),

  /**
   * Cancel a run.
   *
   * Results so far are kept. Takes effect immediately: nothing more is written, and workers stop within
   * two seconds.
   *
   * Requires the role `engineer` or higher.
   */
  cancel: (input: CancelRunInput, options?: CallOptions): Promise<Run> => call('cancel_run', input, options),

  /**
   * Resume a failed or cancelled run without repeating finished work.
   *
   * Requires the role `engineer` or higher.
   */
  resume: (input: ResumeRunInput, options?: CallOptions): Promise<Run> => call('resume_run', input, options),

  /**
   * Stream a run’s progress until it ends.
   *
   * The first event is the current state of the run. After it come `run` on each change, `progress` a
   * few times per second, and `finding`. Event ids increase: send the last one as `Last-Event-ID` to
   * resume after a disconnect.
   *
   * Requires the role `viewer` or higher.
   */
  stream: (input: StreamRunInput, options?: StreamOptions): AsyncGenerator<StreamRunEvent> =>
    follow('stream_run', input, options),

  /**
   * List a run’s dataset findings, worst first.
   *
   * Requires the role `viewer` or higher.
   */
  listFindings: (input: ListRunFindingsInput, options?: CallOptions): Promise<Page<Finding>> =>
    call('list_run_findings', input, options),

  /**
   * Get a file of a finished run’s HTML report.
   *
   * Start with `index.html`. The report is created on the first request; its files do not change
   * afterwards.
   *
   * Requires the role `viewer` or higher.
   */
  getReport: (input: GetRunReportInput, options?: CallOptions): Promise<Response> =>
    call('get_run_report', input, options),
});
