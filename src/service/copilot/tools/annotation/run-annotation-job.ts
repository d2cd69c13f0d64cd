import { enqueueJob, getProject, previewJob } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { counted, money } from '../words.ts';

const operation = operationOf('enqueue_annotation_job');

export const runAnnotationJobTool = defineTool({
  id: 'run_annotation_job',
  title: 'Run an annotation job',
  description:
    'Queues an annotation layer for the episodes of a project that need it, or for episode_ids. It costs money. Episodes that carry the layer are skipped unless force is set; a job of the layer that is under way is answered instead of a second. A person confirms it first.',
  effect: 'spend',
  operation,
  input: operation,
  run: enqueueJob,
  confirmation: async (store, call, input) => {
    const { name } = await getProject(store, call, input);
    const { job, is_new } = await previewJob(store, call, input);
    const { layer, episodes, estimate_usd, narrowed_from } = job;
    const skipped =
      narrowed_from === null ? '' : `, of ${narrowed_from} asked for; the others carry it already`;
    const prompt = is_new
      ? `Annotate ${counted(episodes.total, 'episode')} of the project “${name}” with ${layer}${skipped}. It is estimated to cost ${money(estimate_usd)}.`
      : `A job for ${layer} in the project “${name}” is ${job.status} already: follow it, and queue nothing new.`;
    return {
      prompt,
      facts: {
        ...{ project_id: input.project_id, layer, episodes: episodes.total, estimate_usd },
        ...{ force: input.force, job_under_way: is_new ? null : job.id },
      },
    };
  },
});
