import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type AnnotationJob, type AssayClient, requestOf, type StreamAnnotationJobsEvent } from '#client';
import { AssayError, errorCodes } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import {
  projectOf,
  reachService,
  retryDelay_ms,
  type ServiceArguments,
  throwUnlessTransient,
} from '../../service-client.ts';
import { createJobLine, type JobLine } from '../../tables/job-line.ts';
import { columns, count, grouped, secondsInWords, wrap } from '../../text.ts';

export interface AnnotateProjectArguments extends ServiceArguments {
  /** Project id, or a name that is unique among projects. */
  readonly project: string;
  readonly layer: AnnotationJob['layer'];
  readonly episodes?: readonly string[];
  readonly force?: boolean;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly cancelOnInterrupt?: boolean;
  readonly json?: boolean;
}

/**
 * Runs `assay annotate --project`: queues a layer for a project's episodes at a running service, follows the job and
 * prints its result. Ctrl-C leaves the job running, unless `cancelOnInterrupt` is set. Returns 0 if the job succeeded, 1 if
 * some episodes failed, 4 if it was cancelled or is still running, else the exit code of its error.
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
  if (status === 200) io.note(`assay: ${describeExistingJob(job)}\n`);
  const followed = await followJob(client, job, io);
  const last = hasEnded(followed) ? followed : await handleInterrupt(client, followed, args, io);
  await io.out(args.json === true ? `${JSON.stringify(last)}\n` : renderJob(last, Math.min(io.columns, 160)));
  return exitOf(last);
}

function enqueue(client: AssayClient, project_id: string, args: AnnotateProjectArguments) {
  const { layer, episodes, force, config } = args;
  const jobRequest = {
    project_id,
    layer,
    episode_ids: episodes,
    force: force === true ? force : undefined,
    config,
  };
  return client
    .ask('enqueue_annotation_job', jobRequest)
    .catch((thrown) => Promise.reject(adviseOnRefusal(thrown)));
}

const describeExistingJob = ({ id, layer, status }: AnnotationJob): string =>
  `a ${layer} job is already ${status} (${id}), possibly with other episodes and settings; showing its progress`;

/**
 * Handles Ctrl-C: cancels the job if `cancelOnInterrupt` is set, else prints how to check or cancel it. Returns the
 * latest state of the job.
 */
async function handleInterrupt(
  client: AssayClient,
  job: AnnotationJob,
  { cancelOnInterrupt }: AnnotateProjectArguments,
  io: Io,
): Promise<AnnotationJob> {
  if (cancelOnInterrupt === true) {
    io.note('assay: cancelling the job; finished episodes are kept\n');
    return cancel(client, job);
  }
  const [shown, ended] = [
    requestOf('get_annotation_job', jobParameters(job)),
    requestOf('cancel_annotation_job', jobParameters(job)),
  ];
  io.note(`assay: stopped showing progress; the job keeps running\n`);
  io.note(
    `       progress: GET ${client.address}${shown.path}, cancel: POST ${client.address}${ended.path}\n`,
  );
  return job;
}

/** Maximum number of polls, one every 500 ms, for a cancelled job to end. */
const maxCancelPolls = 20;

async function cancel(client: AssayClient, job: AnnotationJob): Promise<AnnotationJob> {
  let now = await client.annotationJobs.cancel(jobParameters(job)).catch((thrown) => {
    if (thrown instanceof AssayError && thrown.code === 'conflict') return job;
    throw thrown;
  });
  for (let left = maxCancelPolls; left > 0 && !hasEnded(now); left--) {
    await pause(500);
    now = await client.annotationJobs.get(jobParameters(job));
  }
  return now;
}

/**
 * Returns the exit code of a job: 0 succeeded, 1 partial, 4 cancelled or still running; a failed job exits with the
 * code of its error.
 */
function exitOf({ status, error }: AnnotationJob): number {
  if (status === 'succeeded') return 0;
  if (status === 'partial') return 1;
  if (status !== 'failed') return 4;
  const code = Object.keys(errorCodes).find((known) => known === error?.code) as
    | keyof typeof errorCodes
    | undefined;
  return errorCodes[code ?? 'internal'].exit;
}

/** Renders the result of a job: episode counts, cost, error and failed episodes. */
function renderJob(job: AnnotationJob, width: number): string {
  const { episodes, narrowed_from, error, failures } = job;
  const { total, done, failed, skipped } = episodes;
  const carried =
    narrowed_from === null ? '' : `; ${count(narrowed_from - total, 'more episode')} already had the layer`;
  const unsaid = failed - failures.length;
  return [
    `Job ${job.id} ${job.status}: ${job.layer}, ${count(total, 'episode')}${carried}`,
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
  return `${measured_usd} USD (estimated: ${estimate_usd} USD), ${secondsInWords(compute_s)} of compute time`;
}

const maxListedEpisodes = 5;
const carriersSchema = z.object({
  episodes: z.number(),
  recordings: z.array(z.object({ name: z.string() })),
});

/** Replaces the advice of a refused job by what to do on the command line. Returns other errors unchanged. */
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
      return `add --force to run it again${listCarriers(details.already_produced)}`;
    case 'budget_exceeded':
      return `choose fewer episodes with --episodes, wait until older costs no longer count towards the weekly cap, or ask an admin to raise it: PUT ${requestOf('get_budget', {}).path}`;
    case 'layer_off':
      return `turn it on first: ${advice}`;
    case 'not_ready':
      return 'ingest recordings first: assay ingest PATH --project NAME';
    case 'layer_not_servable':
    case 'layer_inapplicable':
    case 'layer_unavailable':
      return `${advice}; assay annotate --help lists the layers`;
    default:
      return null;
  }
}

/** Names up to `maxListedEpisodes` episodes that already carry the layer; empty if the error does not list any. */
function listCarriers(detail: unknown): string {
  const carried = carriersSchema.safeParse(detail);
  if (!carried.success || carried.data.recordings.length === 0) return '';
  const { episodes, recordings } = carried.data;
  const named = recordings.slice(0, maxListedEpisodes).map(({ name }) => name);
  const more = episodes > named.length ? ` and ${grouped(episodes - named.length)} more` : '';
  return `; already annotated: ${named.join(', ')}${more}`;
}

const hasEnded = ({ status }: AnnotationJob): boolean =>
  status === 'succeeded' || status === 'partial' || status === 'failed' || status === 'cancelled';

/** Returns the path parameters of operations on one job. */
const jobParameters = ({ id, project_id }: AnnotationJob) => ({ project_id, job_id: id });

/**
 * Follows a job until it ends or the user presses Ctrl-C, and returns its latest known state. An interrupted event
 * stream resumes after its last event. Throws `storage_unavailable` if the service stays unreachable.
 */
async function followJob(client: AssayClient, job: AnnotationJob, io: Io): Promise<AnnotationJob> {
  const line = createJobLine(io, job.layer);
  const watch: Watch = { job, lastEventId: undefined, lastAnswer_ms: performance.now() };
  try {
    while (!hasEnded(watch.job) && !io.signal.aborted) {
      try {
        await readEvents(client, watch, line, io.signal);
        if (hasEnded(watch.job)) break;
        // The stream ended or was cut, or the job had ended before it began.
        watch.job = await client.annotationJobs.get(jobParameters(job));
        watch.lastAnswer_ms = performance.now();
        if (!hasEnded(watch.job)) await pause(retryDelay_ms, null, { signal: io.signal });
      } catch (thrown) {
        if (io.signal.aborted) break;
        throwUnlessTransient(
          thrown,
          watch.lastAnswer_ms,
          'job',
          requestOf('get_annotation_job', jobParameters(job)).path,
        );
        await pause(retryDelay_ms, null, { signal: io.signal }).catch(() => {});
      }
    }
    return watch.job;
  } finally {
    line.end();
  }
}

interface Watch {
  job: AnnotationJob;
  /** Id of the last event received; `undefined` before the first. */
  lastEventId: string | undefined;
  /** Time of the last answer of the service, in ms of `performance.now()`. */
  lastAnswer_ms: number;
}

/** Applies events to the watched job until it has ended or the initial snapshot does not list it as open. */
async function readEvents(
  client: AssayClient,
  watch: Watch,
  line: JobLine,
  signal: AbortSignal,
): Promise<void> {
  const { id: job_id, project_id } = watch.job;
  const options = { signal, last_event_id: watch.lastEventId, tries: 1 };
  for await (const told of client.annotationJobs.stream({ project_id }, options)) {
    watch.lastAnswer_ms = performance.now();
    watch.lastEventId = told.id ?? watch.lastEventId;
    const now = jobsOf(told).find((one) => one.id === job_id);
    if (now !== undefined) applyJob(watch, line, now);
    else if (told.event === 'snapshot') return;
    else if (told.event === 'progress' && told.data.job_id === job_id) line.show(told.data);
    if (hasEnded(watch.job)) return;
  }
}

function jobsOf({ event, data }: StreamAnnotationJobsEvent): readonly AnnotationJob[] {
  if (event === 'snapshot') return data.items;
  return event === 'job' ? [data] : [];
}

function applyJob(watch: Watch, line: JobLine, job: AnnotationJob): void {
  const { total, done, failed } = job.episodes;
  const waiting = job.waiting?.message;
  if (waiting !== undefined && waiting !== watch.job.waiting?.message) line.say(`job waiting: ${waiting}`);
  watch.job = job;
  if (!hasEnded(job)) line.show({ done: done + failed, total, eta_s: job.eta_s });
}
