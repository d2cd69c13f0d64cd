// Written by `npm run generate` from src/core/api. Change it there.
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

export interface RunsOperations {
  plan_run: {
    input: PlanRunInput;
    answer: RunPlan;
    error:
      | 'forbidden'
      | 'not_found'
      | 'not_permitted'
      | 'not_ready'
      | 'not_recognised'
      | 'payload_too_large'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unreadable_input'
      | 'unsupported_media_type';
  };
  start_run: {
    input: StartRunInput;
    answer: Run;
    error:
      | 'budget_exceeded'
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'not_permitted'
      | 'not_ready'
      | 'not_recognised'
      | 'payload_too_large'
      | 'plan_changed'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unreadable_input'
      | 'unsupported_media_type';
  };
  list_runs: {
    input: ListRunsInput;
    answer: Page<Run>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_run: { input: GetRunInput; answer: Run; error: 'not_found' | 'rate_limited' | 'unauthenticated' };
  cancel_run: {
    input: CancelRunInput;
    answer: Run;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  resume_run: {
    input: ResumeRunInput;
    answer: Run;
    error:
      | 'budget_exceeded'
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'not_permitted'
      | 'not_ready'
      | 'not_recognised'
      | 'payload_too_large'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unreadable_input'
      | 'unsupported_media_type';
  };
  stream_run: {
    input: StreamRunInput;
    answer: StreamRunEvent;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  list_run_findings: {
    input: ListRunFindingsInput;
    answer: Page<Finding>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_run_report: {
    input: GetRunReportInput;
    answer: Response;
    error: 'not_found' | 'not_ready' | 'rate_limited' | 'unauthenticated';
  };
}
