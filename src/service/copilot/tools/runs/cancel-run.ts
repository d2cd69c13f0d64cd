import { cancelRun, getRun, getSource } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { counted } from '../words.ts';

const operation = operationOf('cancel_run');

export const cancelRunTool = defineTool({
  id: 'cancel_run',
  title: 'Cancel a run',
  description:
    'Cancels a run that is queued or running. What is measured and judged stays, and the run can be resumed by a person. get_run_status has its run_id. A person confirms it first.',
  effect: 'destructive',
  operation,
  input: operation,
  run: cancelRun,
  confirmation: async (store, call, input) => {
    const { id, source_id, project_id, status, stage, episodes } = await getRun(store, call, input);
    const { name } = await getSource(store, call, { source_id });
    return {
      prompt: `Cancel the run of the source “${name}”, which is ${status} at the stage ${stage}: ${episodes.measured} of ${counted(episodes.expected, 'episode')} measured and ${episodes.judged} judged. Those stay; the rest is not done.`,
      facts: { run_id: id, project_id, source_id, status, stage, episodes: { ...episodes } },
    };
  },
});
