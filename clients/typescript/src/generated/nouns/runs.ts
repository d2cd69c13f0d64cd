// Written by `npm run generate` from src/contract. Change it there.
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
   * Says what a run of a source would do, and what it would cost.
   *
   * Looks at the source and reads no episode. The same source under the same settings gives the same
   * plan.
   *
   * Needs the role `engineer`.
   */
  plan: (input: PlanRunInput, options?: CallOptions): Promise<RunPlan> => call('plan_run', input, options),

  /**
   * Starts a run of a source.
   *
   * One run of a source at a time: while one is queued or running it is answered instead of a second
   * being started. With `plan_hash` the source is looked at before, and nothing starts where it is not
   * the plan any more. Under a budget with a cap the source is looked at before, too: a run for which
   * there is no room is refused with 402.
   *
   * Needs the role `engineer`.
   */
  start: (input: StartRunInput, options?: CallOptions): Promise<Run> => call('start_run', input, options),

  /**
   * Lists runs, newest first.
   *
   * Needs the role `viewer`.
   */
  list: (input: ListRunsInput, options?: CallOptions): Promise<Page<Run>> =>
    call('list_runs', input, options),

  /**
   * Gets one run.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetRunInput, options?: CallOptions): Promise<Run> => call('get_run', input, options),

  /**
   * Cancels a run; what is measured and judged stays.
   *
   * Takes effect at once: no more is written, and workers stop within two seconds.
   *
   * Needs the role `engineer`.
   */
  cancel: (input: CancelRunInput, options?: CallOptions): Promise<Run> => call('cancel_run', input, options),

  /**
   * Goes on with a run that failed or was cancelled; what is measured is not measured again.
   *
   * Needs the role `engineer`.
   */
  resume: (input: ResumeRunInput, options?: CallOptions): Promise<Run> => call('resume_run', input, options),

  /**
   * Tells of a run as it goes on, until its end.
   *
   * First the run as it is; then `run` after each change, `progress` a few times a second, and
   * `finding`. Ids grow: a client that sends the last one as `Last-Event-ID` goes on after it.
   *
   * Needs the role `viewer`.
   */
  stream: (input: StreamRunInput, options?: StreamOptions): AsyncGenerator<StreamRunEvent> =>
    follow('stream_run', input, options),

  /**
   * Lists what concerns the recordings as a whole: of listing, opening, reading and comparing them.
   *
   * Needs the role `viewer`.
   */
  listFindings: (input: ListRunFindingsInput, options?: CallOptions): Promise<Page<Finding>> =>
    call('list_run_findings', input, options),

  /**
   * A file of the report on a finished run; `index.html` is its first page.
   *
   * Drawn when it is first asked for. The bytes of a file do not change.
   *
   * Needs the role `viewer`.
   */
  getReport: (input: GetRunReportInput, options?: CallOptions): Promise<Response> =>
    call('get_run_report', input, options),
});
