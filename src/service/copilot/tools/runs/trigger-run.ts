import { getBudget, getProject, getSource, planRun, startRun } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { counted, money, size } from '../words.ts';

const operation = operationOf('start_run');

export const triggerRunTool = defineTool({
  id: 'trigger_run',
  title: 'Start a run',
  description:
    'Starts a run of a source: every episode is measured, judged and, where layers are set to in_run, annotated. It costs money. Where a run of the source is under way, that one is answered. A person confirms it first.',
  effect: 'spend',
  operation,
  input: operation,
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
    const left =
      budget.remaining_usd === null ? '' : ` The budget leaves ${money(budget.remaining_usd)} this week.`;
    return {
      prompt: `Start a run of the source “${source.name}” in the project “${project.name}”: measure and judge ${counted(episodes, 'episode')} (${size(bytes)})${annotates}. It is estimated to cost ${money(estimate.cost_usd)}.${left}`,
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
