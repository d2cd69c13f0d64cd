import { setTimeout as pause } from 'node:timers/promises';
import {
  type AnnotationJob,
  type AssayClient,
  requestOf,
  type StreamAnnotationJobsEvent,
} from '@assay/client';
import { z } from 'zod';
import { AssayError, errorCodes } from '#core';
import { again_ms, demandPassing } from '../../demand-passing.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { type PlaceArguments, reachService } from '../../service-place.ts';
import { columns } from '../../tables/columns.ts';
import { createJobLine, type JobLine } from '../../tables/job-line.ts';
import { count, grouped, secondsInWords } from '../../words.ts';
import { wrap } from '../../wrap.ts';

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

/** What a job came to: how many episodes were done, which failed and why, what it cost. */
function renderJob(job: AnnotationJob, width: number): string {
  const { episodes, narrowed_from, error, failures } = job;
  const { total, done, failed, skipped } = episodes;
  const carried = narrowed_from === null ? '' : `; ${grouped(narrowed_from - total)} more carried it already`;
  const unsaid = failed - failures.length;
  return [
    `Job ${job.id} ${job.status}: ${job.layer} of ${count(total, 'episode')}${carried}`,
    columns([
      ['  done', grouped(done)],
      ['  failed', grouped(failed)],
      ['  skipped', grouped(skipped)],
      ['  cost', costOf(job)],
    ]).trimEnd(),
    ...(error === null ? [] : wrap([error.message, error.advice].filter(Boolean).join('; '), width, '  ')),
    ...(failures.length === 0 ? [] : ['', 'Failed episodes']),
    ...failures.flatMap(({ episode_id, error: reason }) =>
      wrap(`${episode_id}  ${reason.code}: ${reason.message}`, width, '  '),
    ),
    ...(unsaid > 0 && failures.length > 0 ? [`  and ${grouped(unsaid)} more`] : []),
    '',
  ].join('\n');
}

function costOf({ measured_usd, estimate_usd, compute_s }: AnnotationJob): string {
  return `${measured_usd} USD of ${estimate_usd} estimated, ${secondsInWords(compute_s)} of computing`;
}

const mostNamed = 5;
const carriersSchema = z.object({
  episodes: z.number(),
  recordings: z.array(z.object({ name: z.string() })),
});

/** The same refusal of a job, with what to do next on the command line; whatever else was thrown, unchanged. */
function adviseOnRefusal(thrown: unknown): unknown {
  if (!(thrown instanceof AssayError)) return thrown;
  const advice = adviceFor(thrown);
  if (advice === null) return thrown;
  const { code, message, details } = thrown;
  return new AssayError(code, message, { advice, details, cause: thrown });
}

function adviceFor({ code, details, advice }: AssayError): string | null {
  switch (code) {
    case 'already_produced':
      return `add --force to have it done again${carriers(details.already_produced)}`;
    case 'budget_exceeded':
      return `choose fewer episodes with --episodes, wait until spending of last week falls out of the window, or have an admin raise the cap: PUT ${requestOf('get_budget', {}).path}`;
    case 'layer_off':
      return `turn it on first: ${advice}`;
    case 'not_ready':
      return 'run recordings first: assay ingest PATH --project NAME';
    case 'layer_not_servable':
    case 'layer_inapplicable':
    case 'layer_unavailable':
      return `${advice}; assay annotate --help lists the layers`;
    default:
      return null;
  }
}

/** The first of the episodes that carry a layer already. */
function carriers(detail: unknown): string {
  const carried = carriersSchema.safeParse(detail);
  if (!carried.success || carried.data.recordings.length === 0) return '';
  const { episodes, recordings } = carried.data;
  const named = recordings.slice(0, mostNamed).map(({ name }) => name);
  const more = episodes > named.length ? ` and ${grouped(episodes - named.length)} more` : '';
  return `; it is carried by ${named.join(', ')}${more}`;
}

const hasEnded = ({ status }: AnnotationJob): boolean =>
  status === 'succeeded' || status === 'partial' || status === 'failed' || status === 'cancelled';

/** What operations on one job are asked with. */
const ofJob = ({ id, project_id }: AnnotationJob) => ({ project_id, job_id: id });

/**
 * Shows how a job goes on, until its end or until the person stops watching; gives the job as it was last told. A stream
 * that is cut is taken up after its last event. Throws `storage_unavailable` where the service stays away.
 */
async function followJob(client: AssayClient, job: AnnotationJob, io: Io): Promise<AnnotationJob> {
  const line = createJobLine(io, job.layer);
  const watch: Watch = { job, after: undefined, heard_ms: performance.now() };
  try {
    while (!hasEnded(watch.job) && !io.signal.aborted) {
      try {
        await readEvents(client, watch, line, io.signal);
        if (hasEnded(watch.job)) break;
        // The stream ended or was cut, or the job had ended before it began.
        watch.job = await client.annotationJobs.get(ofJob(job));
        watch.heard_ms = performance.now();
        if (!hasEnded(watch.job)) await pause(again_ms, null, { signal: io.signal });
      } catch (thrown) {
        if (io.signal.aborted) break;
        demandPassing(thrown, watch.heard_ms, 'job', requestOf('get_annotation_job', ofJob(job)).path);
        await pause(again_ms, null, { signal: io.signal }).catch(() => {});
      }
    }
    return watch.job;
  } finally {
    line.end();
  }
}

interface Watch {
  job: AnnotationJob;
  /** Id of the last event that came. */
  after: string | undefined;
  /** When the service last said something. */
  heard_ms: number;
}

/** Takes events in until the job has ended, or is not among those that are open. */
async function readEvents(
  client: AssayClient,
  watch: Watch,
  line: JobLine,
  signal: AbortSignal,
): Promise<void> {
  const { id: job_id, project_id } = watch.job;
  const options = { signal, last_event_id: watch.after, tries: 1 };
  for await (const told of client.annotationJobs.stream({ project_id }, options)) {
    watch.heard_ms = performance.now();
    watch.after = told.id ?? watch.after;
    const now = jobsOf(told).find((one) => one.id === job_id);
    if (now !== undefined) hear(watch, line, now);
    else if (told.event === 'snapshot') return;
    else if (told.event === 'progress' && told.data.job_id === job_id) line.show(told.data);
    if (hasEnded(watch.job)) return;
  }
}

function jobsOf({ event, data }: StreamAnnotationJobsEvent): readonly AnnotationJob[] {
  if (event === 'snapshot') return data.items;
  return event === 'job' ? [data] : [];
}

function hear(watch: Watch, line: JobLine, job: AnnotationJob): void {
  const { total, done, failed } = job.episodes;
  const waiting = job.waiting?.message;
  if (waiting !== undefined && waiting !== watch.job.waiting?.message) line.say(`the job waits: ${waiting}`);
  watch.job = job;
  if (!hasEnded(job)) line.show({ done: done + failed, total, eta_s: job.eta_s });
}
