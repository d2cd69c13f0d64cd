import {
  cancelRun,
  createSource,
  getBudget,
  getProject,
  getRun,
  getSource,
  listRuns,
  listSources,
  planRun,
  startRun,
} from '#service/operations';
import { defineTool, operationOf } from './define-tool.ts';
import { formatCount, formatMoney, formatSize } from './words.ts';

const registerSourceOperation = operationOf('create_source');

export const registerSourceTool = defineTool({
  id: 'register_source',
  title: 'Register a source',
  description:
    'Registers a source of recordings: kind folder with path, kind s3 with bucket and prefix, or kind upload with a name, to which a person then uploads files. Nothing is read until trigger_run.',
  effect: 'write',
  operation: registerSourceOperation,
  input: registerSourceOperation,
  run: createSource,
});

const listSourcesOperation = operationOf('list_sources');

export const listSourcesTool = defineTool({
  id: 'list_sources',
  title: 'List sources',
  description:
    'Lists a project’s sources (folders, buckets and uploads) with their state and size. Use it to find a source_id.',
  effect: 'read',
  operation: listSourcesOperation,
  input: listSourcesOperation,
  run: listSources,
});

const triggerRunOperation = operationOf('start_run');

export const triggerRunTool = defineTool({
  id: 'trigger_run',
  title: 'Start a run',
  description:
    'Starts a run of a source: every episode is measured, evaluated and annotated with the layers set to in_run. It costs money. If a run of the source is in progress, that run is returned. Requires confirmation by a person.',
  effect: 'spend',
  operation: triggerRunOperation,
  input: triggerRunOperation,
  run: startRun,
  confirmation: async (store, call, input) => {
    const [project, source, plan, budget] = await Promise.all([
      getProject(store, call, input),
      getSource(store, call, input),
      planRun(store, call, input),
      getBudget(store, call),
    ]);
    const { episodes, bytes, layers, estimate, plan_hash } = plan;
    const annotates = layers.length === 0 ? '' : `, and annotate them with ${layers.join(', ')}`;
    const remainingBudget =
      budget.remaining_usd === null
        ? ''
        : ` Remaining budget this week: ${formatMoney(budget.remaining_usd)}.`;
    return {
      prompt: `Start a run of the source “${source.name}” in the project “${project.name}”: measure and evaluate ${formatCount(episodes, 'episode')} (${formatSize(bytes)})${annotates}. Estimated cost: ${formatMoney(estimate.cost_usd)}.${remainingBudget}`,
      facts: {
        project_id: project.id,
        source_id: source.id,
        ...{ episodes, bytes, layers: [...layers], plan_hash },
        estimate_usd: estimate.cost_usd,
        compute_s: estimate.compute_s,
        remaining_usd: budget.remaining_usd,
      },
    };
  },
});

const getRunStatusOperation = operationOf('list_runs');
const { run_id } = operationOf('get_run').params.shape;

export const getRunStatusTool = defineTool({
  id: 'get_run_status',
  title: 'Get run status',
  description:
    'Returns the state of runs: status, stage, episodes measured and evaluated, decisions, layers, cost and errors. With run_id, returns that run; otherwise the project’s runs, newest first.',
  effect: 'read',
  operation: getRunStatusOperation,
  input: {
    params: getRunStatusOperation.params,
    query: getRunStatusOperation.query.extend({ run_id: run_id.optional() }),
  },
  run: async (store, call, { run_id, ...query }) =>
    run_id === undefined ? listRuns(store, call, query) : getRun(store, call, { run_id }),
});

const cancelRunOperation = operationOf('cancel_run');

export const cancelRunTool = defineTool({
  id: 'cancel_run',
  title: 'Cancel a run',
  description:
    'Cancels a queued or running run. Results so far are kept, and a person can resume the run. get_run_status returns its run_id. Requires confirmation by a person.',
  effect: 'destructive',
  operation: cancelRunOperation,
  input: cancelRunOperation,
  run: cancelRun,
  confirmation: async (store, call, input) => {
    const { id, source_id, project_id, status, stage, episodes } = await getRun(store, call, input);
    const { name } = await getSource(store, call, { source_id });
    return {
      prompt: `Cancel the run of the source “${name}”, which is ${status} at the stage ${stage}: ${episodes.measured} of ${formatCount(episodes.expected, 'episode')} measured and ${episodes.judged} evaluated. These results are kept; the rest is not processed.`,
      facts: { run_id: id, project_id, source_id, status, stage, episodes: { ...episodes } },
    };
  },
});
