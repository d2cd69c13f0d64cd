import { statSync } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  type AssayClient,
  all,
  type Project,
  type Run,
  type RunPlan,
  type RunProgress,
  type Source,
  type TargetProfileId,
  type UseCaseId,
} from '#client';
import { AssayError, wrapReadError } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import type { ServiceArguments } from '../../service-client.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { renderPlan, renderRun, runAddresses } from '../../tables/run-table.ts';
import { reachOrStart } from './reach-service.ts';

export interface IngestArguments extends ServiceArguments {
  readonly workspace: string;
  readonly project?: string;
  readonly useCase: UseCaseId;
  readonly profile?: TargetProfileId;
  readonly plan?: boolean;
  readonly json?: boolean;
}

/**
 * Runs `assay ingest PATH`: registers a folder as a source, prints the plan, runs it and prints the result. Uses the
 * service of the data folder, or starts one for the duration of the command. Returns 3 if the run failed, 4 if it was
 * cancelled or did not finish, else 0.
 */
export async function ingestCommand(
  path: string,
  args: IngestArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  requireLocalPath(path, 'assay ingest');
  const folder = resolve(path);
  // A service elsewhere sees other folders.
  if (args.url === undefined) await assertReadable(folder);
  const { client, stays, done } = await reachOrStart(
    folder,
    args,
    { keeps: args.plan !== true, io },
    launcher,
  );
  try {
    const run = await ingest(client, folder, args, io);
    if (run === null) return 0;
    const where = stays
      ? runAddresses(client, run)
      : 'To see the results, run assay serve on the same data folder';
    await io.out(args.json === true ? `${JSON.stringify(run)}\n` : await renderRun(client, run, io, where));
    if (run.status === 'failed') return run.error?.code === 'unfinished' ? 4 : 3;
    return run.status === 'cancelled' ? 4 : 0;
  } finally {
    await done();
  }
}

/** Checks that the folder is readable before a service is started. Throws `not_found`, `not_permitted`. */
export async function assertReadable(folder: string): Promise<void> {
  await access(folder, constants.R_OK).catch((thrown) => {
    throw wrapReadError(thrown, folder, 'check the path; nothing was created');
  });
}

/** Plans and runs a folder; `null` if only the plan was requested. */
async function ingest(
  client: AssayClient,
  folder: string,
  args: IngestArguments,
  io: Io,
): Promise<Run | null> {
  const { project, source, undo } = await findOrCreateTarget(
    client,
    folder,
    args.project ?? basename(folder),
    args,
  );
  const planRequest = { project_id: project.id, source_id: source.id };
  const plan = await planOrUndo(client, planRequest, undo);
  if (args.plan === true) {
    await undo();
    await io.out(args.json === true ? `${JSON.stringify(plan)}\n` : renderPlan(plan));
    return null;
  }
  return runPlan(client, { ...planRequest, plan }, io);
}

interface SourceIds {
  readonly project_id: string;
  readonly source_id: string;
}

interface PlannedSource extends SourceIds {
  readonly plan: RunPlan;
}

/** Plans a run of a source; if that fails, deletes what was created for it. */
async function planOrUndo(client: AssayClient, of: SourceIds, undo: () => Promise<void>): Promise<RunPlan> {
  try {
    return await client.runs.plan(of);
  } catch (thrown) {
    await undo().catch(() => {});
    throw thrown;
  }
}

/** Prints a plan and runs it to its end. */
async function runPlan(
  client: AssayClient,
  { plan, ...of }: PlannedSource,
  io: Io,
  onJudged?: OnJudged,
): Promise<Run> {
  io.note(renderPlan(plan));
  const run = await client.runs.start({ ...of, plan_hash: plan.plan_hash });
  return followRun(client, run, io, onJudged);
}

/** Project that recordings are ingested into. */
export interface IngestProject {
  readonly name: string;
  /** Name and use case of its workspace, which is created if it does not exist. */
  readonly workspace: string;
  readonly useCase: UseCaseId;
  /** Ids of the loaders that it is judged by; `undefined` leaves its setting as it is. */
  readonly loaders: readonly string[] | undefined;
}

/** Called once all episodes of a run are judged, before they are annotated. */
type OnJudged = (run: Run) => Promise<void>;

/**
 * Runs a folder in the project of this name; if nothing in it has changed since the last run that succeeded, that run
 * stands. Stores the loaders in the project; if only these have changed, the measurements are evaluated again. `onJudged` is
 * called with the run in any case.
 */
export async function ingestOnce(
  client: AssayClient,
  folder: string,
  { name, loaders, ...place }: IngestProject,
  io: Io,
  onJudged: OnJudged,
): Promise<void> {
  const args: IngestArguments = { ...place, project: name };
  const { project, source, undo } = await findOrCreateTarget(client, folder, name, args);
  const of = { project_id: project.id, source_id: source.id };
  if (loaders !== undefined)
    await client.readiness.setSettings({ project_id: project.id, loaders: [...loaders] });
  const [last] = (await client.runs.list({ ...of, status: 'succeeded', limit: 1 })).items;
  if (last === undefined || (await hasChangedSince(folder, Date.parse(last.created_at)))) {
    await runPlan(client, { ...of, plan: await planOrUndo(client, of, undo) }, io, onJudged);
  } else if (loaders === undefined || isSameSet(last.settings.loaders ?? [], loaders)) await onJudged(last);
  else {
    const rescored = await rescoreSource(client, of);
    await (rescored === null
      ? runPlan(client, { ...of, plan: await client.runs.plan(of) }, io, onJudged)
      : followRun(client, rescored, io, onJudged));
  }
}

/** Returns whether a file or folder was added, removed or changed after `time_ms`, by the change times of the file system. */
async function hasChangedSince(path: string, time_ms: number): Promise<boolean> {
  const top = await stat(path);
  const below = top.isDirectory() ? await readdir(path, { recursive: true }) : [];
  return (
    top.ctimeMs > time_ms ||
    below.some((name) => (statSync(join(path, name), { throwIfNoEntry: false })?.ctimeMs ?? 0) > time_ms)
  );
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const all = new Set([...some, ...others]);
  return all.size === new Set(some).size && all.size === new Set(others).size;
}

/** Starts to evaluate the measurements of a source again; `null` if it has none that can be. */
async function rescoreSource(client: AssayClient, source: SourceIds): Promise<Run | null> {
  try {
    return (await client.readiness.rescoreProject(source)).items[0];
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'not_ready') return null;
    throw thrown;
  }
}

const finalStatuses = new Set<Run['status']>(['succeeded', 'partial', 'failed', 'cancelled']);
/** Delay before an interrupted event stream is requested again. */
const reconnectDelay_ms = 1000;

/** Follows a run until it ends; reports it once its verdict is known, and again if it fails later. Ctrl-C cancels the run. */
async function followRun(
  client: AssayClient,
  run: Run,
  io: Io,
  onJudged: OnJudged = async () => {},
): Promise<Run> {
  const progress = createProgressLine(io, 'the recordings');
  const started = performance.now();
  let isReported = false;
  const report = async (now: Run) => {
    if (isReported && now.error === null) return;
    progress.end();
    await onJudged(now);
    isReported = true;
  };
  try {
    for (;;) {
      try {
        for await (const { event, data } of client.runs.stream({ run_id: run.id }, { signal: io.signal })) {
          if (event === 'run') {
            const hasEnded = finalStatuses.has(data.status);
            if (hasEnded || data.usability !== null) await report(data);
            if (hasEnded) return data;
          } else if (event === 'progress') {
            progress.show(renderProgress(data, (performance.now() - started) / 1000));
          }
        }
      } catch (thrown) {
        if (io.signal.aborted) return await cancel(client, run, io);
        if (thrown instanceof AssayError && thrown.code === 'not_found') throw thrown;
      }
      const now = await client.runs.get({ run_id: run.id });
      if (finalStatuses.has(now.status)) {
        await report(now);
        return now;
      }
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay_ms));
    }
  } finally {
    progress.end();
  }
}

async function cancel(client: AssayClient, run: Run, io: Io): Promise<Run> {
  io.note('assay: cancelling the run; episodes already assessed are kept\n');
  return client.runs.cancel({ run_id: run.id });
}

function renderProgress(progress: RunProgress, elapsed_s: number) {
  const { stage, done, total, bytes_done, bytes_total, episodes_per_s, eta_s } = progress;
  return {
    stage,
    episodes: done,
    episodes_expected: total,
    bytes: stage === 'measure' ? bytes_done : 0,
    bytes_expected: bytes_total,
    elapsed_s,
    rate: episodes_per_s,
    eta_s,
  };
}

/** Project and source of the recordings, found or created. */
interface IngestTarget {
  readonly project: Project;
  readonly source: Source;
  /** Deletes whatever was created. */
  undo(): Promise<void>;
}

/** Names and settings used if the workspace or project has to be created. */
interface ProjectRequest {
  /** Name of the workspace. */
  readonly workspace: string;
  readonly useCase: UseCaseId;
  readonly profile?: TargetProfileId;
}

/**
 * Finds or creates workspace, project and source of a folder. Deletes what it created if the service refuses the
 * folder.
 */
async function findOrCreateTarget(
  client: AssayClient,
  folder: string,
  name: string,
  args: ProjectRequest,
): Promise<IngestTarget> {
  const made: (() => Promise<unknown>)[] = [];
  const undo = async () => {
    for (const remove of made.splice(0).reverse()) await remove();
  };
  try {
    const workspace = await findOrCreateWorkspace(client, args, made);
    const project = await findOrCreateProject(client, workspace, name, args, made);
    return { project, source: await findOrCreateSource(client, project, folder, made), undo };
  } catch (thrown) {
    // The refusal is what is worth telling.
    await undo().catch(() => {});
    throw thrown;
  }
}

type UndoSteps = (() => Promise<unknown>)[];

async function findOrCreateWorkspace(
  client: AssayClient,
  { workspace: name, useCase }: ProjectRequest,
  made: UndoSteps,
): Promise<string> {
  const there = await findIn(all(client.workspaces.list, {}), (workspace) => workspace.name === name);
  if (there !== null) return there.id;
  const { id } = await client.workspaces.create({ name, use_case: useCase });
  made.push(() => client.workspaces.delete({ workspace_id: id }));
  return id;
}

async function findOrCreateProject(
  client: AssayClient,
  workspace_id: string,
  name: string,
  { profile }: ProjectRequest,
  made: UndoSteps,
): Promise<Project> {
  const there = await findIn(all(client.projects.list, { workspace_id }), (project) => project.name === name);
  if (there !== null) return there;
  const target_profile = profile ?? 'behaviour-cloning';
  const project = await client.projects.create({ workspace_id, name, target_profile });
  made.push(() => client.projects.delete({ project_id: project.id }));
  return project;
}

async function findOrCreateSource(
  client: AssayClient,
  { id }: Project,
  path: string,
  made: UndoSteps,
): Promise<Source> {
  const same = ({ location, state }: Source) =>
    location.kind === 'folder' && location.path === path && state === 'ready';
  const there = await findIn(all(client.sources.list, { project_id: id }), same);
  if (there !== null) return there;
  const source = await client.sources.create({ project_id: id, kind: 'folder', path });
  made.push(() => client.sources.delete({ source_id: source.id }));
  return source;
}

/** Returns the first item that matches; `null` if none does. */
async function findIn<Item>(
  items: AsyncIterable<Item>,
  matches: (item: Item) => boolean,
): Promise<Item | null> {
  for await (const item of items) if (matches(item)) return item;
  return null;
}
