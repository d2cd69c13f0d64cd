import { setTimeout as pause } from 'node:timers/promises';
import { type AnnotationJob, type AssayClient, requestOf } from '@assay/client';
import { AssayError, errorCodes } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { type PlaceArguments, reachService } from '../../service-place.ts';
import { renderJob } from '../../tables/job-table.ts';
import { adviseOnRefusal } from './advise-on-refusal.ts';
import { followJob, hasEnded, ofJob } from './follow-job.ts';

export interface AnnotateProjectArguments extends PlaceArguments {
  /** Id, or a name that only one project has. */
  readonly project: string;
  readonly layer: AnnotationJob['layer'];
  readonly episodes?: readonly string[];
  readonly force?: boolean;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly cancelOnInterrupt?: boolean;
  readonly json?: boolean;
}

/**
 * `assay annotate --project`: queues a layer for a project's episodes at a running service, shows how the job goes on and what it
 * came to. Stopped by the person it leaves the job running, unless told to cancel it.
 */
export async function annotateProject(
  args: AnnotateProjectArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const { value: job, status } = await enqueue(client, project_id, args);
  // 202: it is new.
  if (status === 200) io.note(`assay: ${twinOf(job)}\n`);
  const followed = await followJob(client, job, io);
  const last = hasEnded(followed) ? followed : await interrupted(client, followed, args, io);
  await io.out(args.json === true ? `${JSON.stringify(last)}\n` : renderJob(last, Math.min(io.columns, 160)));
  return exitOf(last);
}

function enqueue(client: AssayClient, project_id: string, args: AnnotateProjectArguments) {
  const { layer, episodes, force, config } = args;
  const asked = {
    project_id,
    layer,
    episode_ids: episodes,
    force: force === true ? force : undefined,
    config,
  };
  return client
    .ask('enqueue_annotation_job', asked)
    .catch((thrown) => Promise.reject(adviseOnRefusal(thrown)));
}

const twinOf = ({ id, layer, status }: AnnotationJob): string =>
  `a job of ${layer} is ${status} already, with its own episodes and knobs; following it (${id})`;

/** Says what becomes of a job that is no longer watched. */
async function interrupted(
  client: AssayClient,
  job: AnnotationJob,
  { cancelOnInterrupt }: AnnotateProjectArguments,
  io: Io,
): Promise<AnnotationJob> {
  if (cancelOnInterrupt === true) {
    io.note('assay: stopped; the job is cancelled, what is done stays\n');
    return cancel(client, job);
  }
  const [shown, ended] = [
    requestOf('get_annotation_job', ofJob(job)),
    requestOf('cancel_annotation_job', ofJob(job)),
  ];
  io.note(`assay: stopped watching; the job goes on\n`);
  io.note(
    `       GET ${client.address}${shown.path} tells how far it is, POST ${client.address}${ended.path} ends it\n`,
  );
  return job;
}

/** Workers let go within seconds. */
const tries = 20;

async function cancel(client: AssayClient, job: AnnotationJob): Promise<AnnotationJob> {
  let now = await client.annotationJobs.cancel(ofJob(job)).catch((thrown) => {
    if (thrown instanceof AssayError && thrown.code === 'conflict') return job;
    throw thrown;
  });
  for (let left = tries; left > 0 && !hasEnded(now); left--) {
    await pause(500);
    now = await client.annotationJobs.get(ofJob(job));
  }
  return now;
}

/** 0 all done, 1 some episodes failed, 4 stopped; a job that failed exits as its reason does. */
function exitOf({ status, error }: AnnotationJob): number {
  if (status === 'succeeded') return 0;
  if (status === 'partial') return 1;
  if (status !== 'failed') return 4;
  const code = Object.keys(errorCodes).find((known) => known === error?.code) as
    | keyof typeof errorCodes
    | undefined;
  return errorCodes[code ?? 'internal'].exit;
}
