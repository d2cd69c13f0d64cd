import { getRun, listRuns } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_runs');
const { run_id } = operationOf('get_run').params.shape;

export const getRunStatusTool = defineTool({
  id: 'get_run_status',
  title: 'Get the status of runs',
  description:
    'Tells how runs stand: status, stage, episodes measured and judged, decisions, layers, cost, and what went wrong. With run_id it tells of that run; without, of the project’s runs, newest first.',
  effect: 'read',
  operation,
  input: {
    params: operation.params,
    query: operation.query.extend({ run_id: run_id.optional() }),
  },
  run: async (store, call, { run_id, ...query }) =>
    run_id === undefined ? listRuns(store, call, query) : getRun(store, call, { run_id }),
});
