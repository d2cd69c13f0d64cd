import type { annotationJobOperations } from '#core/api/operations';
import { cancelJob, enqueueJob, getJob, listJobs, previewJob, streamJobs } from '#service/operations';
import { ExistingAnswer, type HandlersOf, readLastEventId } from '../handler.ts';

/** Handlers of annotation jobs. */
export const annotationJobHandlers = {
  enqueue_annotation_job: async ({ store, call }, { params, body }) => {
    const { job, is_new } = await enqueueJob(store, call, { ...params, ...body });
    return is_new ? job : new ExistingAnswer(job);
  },
  preview_annotation_job: async ({ store, call }, { params, body }) => {
    const { job, is_new } = await previewJob(store, call, { ...params, ...body });
    const { id, layer, model, config, episodes, narrowed_from, estimate, estimate_usd } = job;
    const job_id = is_new ? null : id;
    return { layer, model, config, episodes: episodes.total, narrowed_from, estimate, estimate_usd, job_id };
  },
  list_annotation_jobs: ({ store, call }, { params, query }) =>
    listJobs(store, call, { ...params, ...query }),
  stream_annotation_jobs: ({ store, call, headers, signal }, { params }) =>
    streamJobs(store, call, { ...params, last_event_id: readLastEventId(headers) }, signal),
  get_annotation_job: ({ store, call }, { params }) => getJob(store, call, params),
  cancel_annotation_job: ({ store, call }, { params }) => cancelJob(store, call, params),
} satisfies HandlersOf<typeof annotationJobOperations>;
