import type { runOperations } from '#core/api/operations';
import {
  cancelRun,
  getRun,
  getRunReport,
  listRunFindings,
  listRuns,
  planRun,
  rescoreProject,
  resumeRun,
  startRun,
  streamRun,
} from '#service/operations';
import { type HandlersOf, readLastEventId } from '../handler.ts';

/** Handlers of runs. */
export const runHandlers = {
  plan_run: ({ store, call }, { params, body }) => planRun(store, call, { ...params, ...body }),
  start_run: ({ store, call }, { params, body }) => startRun(store, call, { ...params, ...body }),
  list_runs: ({ store, call }, { params, query }) => listRuns(store, call, { ...params, ...query }),
  get_run: ({ store, call }, { params }) => getRun(store, call, params),
  cancel_run: ({ store, call }, { params }) => cancelRun(store, call, params),
  resume_run: ({ store, call }, { params }) => resumeRun(store, call, params),
  stream_run: ({ store, call, headers, signal }, { params }) =>
    streamRun(store, call, { ...params, last_event_id: readLastEventId(headers) }, signal),
  list_run_findings: ({ store, call }, { params, query }) =>
    listRunFindings(store, call, { ...params, ...query }),
  get_run_report: async ({ store, call, signal }, { params }) => {
    const { content_type, bytes } = await getRunReport(store, call, params, signal);
    return { content_type, body: bytes };
  },
  rescore_project: ({ store, call }, { params, body }) => rescoreProject(store, call, { ...params, ...body }),
} satisfies HandlersOf<typeof runOperations>;
