import { framesOf, jobLayerOf, type LayerConfig, usedLayers } from '#labels/annotation';
import { modelRefs } from '#labels/models';
import { type JobRow, jobItemRows, type Places, type Store } from '#store';
import { patiently } from '../../patience.ts';
import type { AnnotatedPart, AnnotateTask } from '../../steps/messages.ts';
import type { AnnotateItem } from '../../steps/units.ts';
import type { Engine } from '../engine.ts';
import { tellWaiting } from '../held-work.ts';
import { artifactPrefix } from './artifact-prefix.ts';
import { commitPart } from './commit-part.ts';
import { jobKind } from './job-kind.ts';
import { refOfJob, workOf } from './job-ref.ts';
import { asksEndpoint, modelsOfJob } from './lane-plan.ts';
import { pictureSources } from './picture-sources.ts';

export interface AnnotatePlaces {
  /** Running; of one run where there are several. */
  readonly jobs: readonly JobRow[];
  /** The same episodes in each job. */
  readonly places: Places;
  /** Until it is over it counts as a death of each. */
  readonly suspect: boolean;
  readonly signal: AbortSignal;
  /** What a thread keeps open between requests is named by it. */
  readonly key: string;
  readonly onCommitted?: () => void;
}

/** Annotates what is still to be done of some places, in all jobs at once; what was not finished is given back. */
export async function annotatePlaces(engine: Engine, work: AnnotatePlaces): Promise<void> {
  const { jobs, places, suspect, signal, key, onCommitted } = work;
  const { store, worker } = engine;
  const [{ tenant_id }] = jobs;
  const shared = { database: store.database, tenant_id, job_ids: jobs.map(({ id }) => id) };
  const outputs_of = [...new Set(jobs.flatMap(({ layer }) => usedLayers(jobLayerOf(layer))))];
  const claim = () => jobItemRows.claimItems<AnnotateItem>(shared, { worker, places, suspect, outputs_of });
  const { items, attempts } = await patiently(engine, claim, signal);
  const due = jobs.filter(({ id }) => attempts[id] !== undefined);
  if (due.length === 0) return;
  const refs = due.map(refOfJob);
  const onPart = async (part: AnnotatedPart) => {
    const wanted = await commitPart(engine, refs[part.task], part, signal);
    if (wanted) onCommitted?.();
    return wanted;
  };
  try {
    const tasks = await Promise.all(due.map((job) => taskOf(store, job, attempts[job.id])));
    const looks = due.some(({ layer, model }) => framesOf(jobLayerOf(layer), asksEndpoint(model)) !== null);
    const pictures = looks
      ? await patiently(engine, () => pictureSources(store, shared, worker, places), signal)
      : null;
    await engine.threads.do(
      { type: 'annotate', key, items, tasks, pictures },
      {
        signal,
        onPart: (part) => onPart(part as AnnotatedPart),
        onWaiting: (failure) => {
          for (const ref of refs) void tellWaiting(engine, jobKind, ref, failure);
        },
      },
    );
  } finally {
    for (const ref of refs) {
      await jobItemRows.releaseItems(workOf(store, ref), worker, places, suspect).catch(() => {});
    }
  }
}

async function taskOf(
  { data_folder, vision_endpoint }: Store,
  job: JobRow,
  attempts: AnnotateTask['attempts'],
): Promise<AnnotateTask> {
  const { surfaces } = jobLayerOf(job.layer).needs;
  return {
    layer: job.layer,
    config: job.config as LayerConfig,
    models: await modelRefs(data_folder, surfaces, modelsOfJob(job), vision_endpoint),
    prefix: artifactPrefix(job),
    attempts,
  };
}
