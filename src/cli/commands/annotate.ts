import { setTimeout as pause } from 'node:timers/promises';
import type { AnnotationJob, Project } from '#contract';
import { AssayError, errorCodes, idPattern } from '#kernel';
import type { Io } from '../io.ts';
import { renderJob } from '../job-table.ts';
import type { Launcher } from '../launcher.ts';
import { allOf } from '../list-pages.ts';
import type { ServiceClient } from '../service-client.ts';
import { type PlaceArguments, reachService } from '../service-place.ts';
import { adviseOnRefusal } from './advise-on-refusal.ts';
import { followJob, hasEnded, jobPath } from './follow-job.ts';

export interface AnnotateArguments extends PlaceArguments {
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
 * `assay annotate`: queues a layer for a project's episodes at a running service, shows how the job goes on and what it
 * came to. Stopped by the person it leaves the job running, unless told to cancel it.
 */
export async function annotateCommand(args: AnnotateArguments, io: Io, launcher: Launcher): Promise<number> {
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const { answer: job, is_new } = await enqueue(client, project_id, args);
  if (!is_new) io.note(`assay: ${twinOf(job)}\n`);
  const followed = await followJob(client, job, io);
  const last = hasEnded(followed) ? followed : await interrupted(client, followed, args, io);
  await io.out(args.json === true ? `${JSON.stringify(last)}\n` : renderJob(last, Math.min(io.columns, 160)));
  return exitOf(last);
}

async function projectOf(client: ServiceClient, named: string): Promise<string> {
  if (idPattern('prj').test(named)) return named;
  const found: Project[] = [];
  for await (const project of allOf<Project>(client, '/v1/projects'))
    if (project.name === named) found.push(project);
  const [first] = found;
  if (first === undefined) {
    throw new AssayError('not_found', `there is no project called ${named}`, {
      advice: `GET ${client.address}/v1/projects lists them; \`assay ingest PATH --project ${named}\` makes one`,
    });
  }
  if (found.length === 1) return first.id;
  throw new AssayError('usage', `${found.length} projects are called ${named}`, {
    advice: `name one by its id: ${found.map(({ id }) => id).join(', ')}`,
  });
}

function enqueue(client: ServiceClient, project_id: string, args: AnnotateArguments) {
  const { layer, episodes, force, config } = args;
  const body = {
    layer,
    ...(episodes === undefined ? {} : { episode_ids: episodes }),
    ...(force === true ? { force } : {}),
    ...(config === undefined ? {} : { config }),
  };
  return client
    .send<AnnotationJob>(`/v1/projects/${project_id}/annotation/jobs`, body)
    .catch((thrown) => Promise.reject(adviseOnRefusal(thrown)));
}

const twinOf = ({ id, layer, status }: AnnotationJob): string =>
  `a job of ${layer} is ${status} already, with its own episodes and knobs; following it (${id})`;

/** Says what becomes of a job that is no longer watched. */
async function interrupted(
  client: ServiceClient,
  job: AnnotationJob,
  { cancelOnInterrupt }: AnnotateArguments,
  io: Io,
): Promise<AnnotationJob> {
  if (cancelOnInterrupt === true) {
    io.note('assay: stopped; the job is cancelled, what is done stays\n');
    return cancel(client, job);
  }
  const where = client.address + jobPath(job);
  io.note(`assay: stopped watching; the job goes on\n`);
  io.note(`       GET ${where} tells how far it is, POST ${where}/cancel ends it\n`);
  return job;
}

/** Workers let go within seconds. */
const tries = 20;

async function cancel(client: ServiceClient, job: AnnotationJob): Promise<AnnotationJob> {
  let now = await client.post<AnnotationJob>(`${jobPath(job)}/cancel`, {}).catch((thrown) => {
    if (thrown instanceof AssayError && thrown.code === 'conflict') return job;
    throw thrown;
  });
  for (let left = tries; left > 0 && !hasEnded(now); left--) {
    await pause(500);
    now = await client.get<AnnotationJob>(jobPath(job));
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
