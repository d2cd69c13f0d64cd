import { access, constants } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import {
  type AssayClient,
  all,
  type Project,
  type Run,
  type RunProgress,
  type Source,
  type TargetProfileId,
  type UseCaseId,
} from '@assay/client';
import { AssayError, asUnreadable } from '#core';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import type { PlaceArguments } from '../../service-place.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { addressesOf, renderPlan, renderRun } from '../../tables/run-table.ts';
import { reachOrStart } from './own-service.ts';

export interface IngestArguments extends PlaceArguments {
  readonly workspace: string;
  readonly project?: string;
  readonly useCase: UseCaseId;
  readonly profile?: TargetProfileId;
  readonly plan?: boolean;
  readonly json?: boolean;
}

/**
 * `assay ingest PATH`: registers a folder as a source, shows the plan, runs it and says what came out. Speaks to the
 * service of the data folder, or starts one for as long as it takes.
 */
export async function ingestCommand(
  path: string,
  args: IngestArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  demandNoAddress(path, 'assay ingest');
  const folder = resolve(path);
  // A service elsewhere sees other folders.
  if (args.url === undefined) await demandThere(folder);
  const { client, stays, done } = await reachOrStart(
    folder,
    args,
    { keeps: args.plan !== true, io },
    launcher,
  );
  try {
    const run = await ingest(client, folder, args, io);
    if (run === null) return 0;
    const where = stays ? addressesOf(client, run) : 'To read on: assay serve, on the same data folder';
    const shown = () => renderRun(client, run, { columns: Math.min(io.columns, 160), where });
    await io.out(args.json === true ? `${JSON.stringify(run)}\n` : await shown());
    if (run.status === 'failed') return run.error?.code === 'unfinished' ? 4 : 3;
    return run.status === 'cancelled' ? 4 : 0;
  } finally {
    await done();
  }
}

/** A name that was mistyped starts no service and makes no project. Throws `not_found`, `not_permitted`. */
async function demandThere(folder: string): Promise<void> {
  await access(folder, constants.R_OK).catch((thrown) => {
    throw asUnreadable(thrown, folder, 'correct the path; nothing was made');
  });
}

/** Null where only the plan was asked for. */
async function ingest(
  client: AssayClient,
  folder: string,
  args: IngestArguments,
  io: Io,
): Promise<Run | null> {
  const { project, source, undo } = await placeFor(client, folder, args.project ?? basename(folder), args);
  const asked = { project_id: project.id, source_id: source.id };
  const plan = await client.runs.plan(asked).catch(async (thrown) => {
    await undo().catch(() => {});
    throw thrown;
  });
  if (args.plan === true) {
    await undo();
    await io.out(args.json === true ? `${JSON.stringify(plan)}\n` : renderPlan(plan));
    return null;
  }
  io.note(renderPlan(plan));
  const { plan_hash } = plan;
  const run = await client.runs.start({ ...asked, plan_hash });
  return followRun(client, run, io);
}

/** Runs a folder that the service has not run yet under a project of this name; null where it has. */
export async function ingestOnce(
  client: AssayClient,
  folder: string,
  project: string,
  io: Io,
): Promise<Run | null> {
  const args: IngestArguments = { workspace: 'default', project, useCase: 'data-assessment' };
  const { project: at } = await placeFor(client, folder, project, args);
  const { items } = await client.runs.list({ project_id: at.id, status: 'succeeded', limit: 1 });
  return items.length > 0 ? null : ingest(client, folder, args, io);
}

const ended = new Set<Run['status']>(['succeeded', 'partial', 'failed', 'cancelled']);
/** Before a broken stream is asked for again. */
const again_ms = 1000;

/** Shows how a run goes on until its end. Stopped by the person it cancels the run. */
async function followRun(client: AssayClient, run: Run, io: Io): Promise<Run> {
  const progress = createProgressLine(io, 'the recordings');
  const started = performance.now();
  try {
    for (;;) {
      try {
        for await (const { event, data } of client.runs.stream({ run_id: run.id }, { signal: io.signal })) {
          if (event === 'run' && ended.has(data.status)) return data;
          if (event === 'progress') progress.show(shown(data, (performance.now() - started) / 1000));
        }
      } catch (thrown) {
        if (io.signal.aborted) return await cancel(client, run, io);
        if (thrown instanceof AssayError && thrown.code === 'not_found') throw thrown;
      }
      const now = await client.runs.get({ run_id: run.id });
      if (ended.has(now.status)) return now;
      await new Promise((resolve) => setTimeout(resolve, again_ms));
    }
  } finally {
    progress.end();
  }
}

async function cancel(client: AssayClient, run: Run, io: Io): Promise<Run> {
  io.note('assay: stopped; the run is cancelled, what is judged stays\n');
  return client.runs.cancel({ run_id: run.id });
}

function shown(progress: RunProgress, elapsed_s: number) {
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

/** Where recordings go: what is there is used, what is not is made. */
interface IngestPlace {
  readonly project: Project;
  readonly source: Source;
  /** Takes out what was made, so that a question leaves nothing behind. */
  undo(): Promise<void>;
}

/** What is made where it is not there. */
interface Wanted {
  /** By name. */
  readonly workspace: string;
  readonly useCase: UseCaseId;
  readonly profile?: TargetProfileId;
}

/** The project and the source of a folder. What was made is taken out again where the folder is refused. */
async function placeFor(
  client: AssayClient,
  folder: string,
  name: string,
  args: Wanted,
): Promise<IngestPlace> {
  const made: (() => Promise<unknown>)[] = [];
  const undo = async () => {
    for (const remove of made.splice(0).reverse()) await remove();
  };
  try {
    const workspace = await workspaceFor(client, args, made);
    const project = await projectFor(client, workspace, name, args, made);
    return { project, source: await sourceFor(client, project, folder, made), undo };
  } catch (thrown) {
    // The refusal is what is worth telling.
    await undo().catch(() => {});
    throw thrown;
  }
}

type Made = (() => Promise<unknown>)[];

async function workspaceFor(
  client: AssayClient,
  { workspace: name, useCase }: Wanted,
  made: Made,
): Promise<string> {
  const there = await findIn(all(client.workspaces.list, {}), (workspace) => workspace.name === name);
  if (there !== null) return there.id;
  const { id } = await client.workspaces.create({ name, use_case: useCase });
  made.push(() => client.workspaces.delete({ workspace_id: id }));
  return id;
}

async function projectFor(
  client: AssayClient,
  workspace_id: string,
  name: string,
  { profile }: Wanted,
  made: Made,
): Promise<Project> {
  const there = await findIn(all(client.projects.list, { workspace_id }), (project) => project.name === name);
  if (there !== null) return there;
  const target_profile = profile ?? 'behaviour-cloning';
  const project = await client.projects.create({ workspace_id, name, target_profile });
  made.push(() => client.projects.delete({ project_id: project.id }));
  return project;
}

async function sourceFor(client: AssayClient, { id }: Project, path: string, made: Made): Promise<Source> {
  const same = ({ location, state }: Source) =>
    location.kind === 'folder' && location.path === path && state === 'ready';
  const there = await findIn(all(client.sources.list, { project_id: id }), same);
  if (there !== null) return there;
  const source = await client.sources.create({ project_id: id, kind: 'folder', path });
  made.push(() => client.sources.delete({ source_id: source.id }));
  return source;
}

/** The first of the items that is wanted; null where none is. */
async function findIn<Item>(
  items: AsyncIterable<Item>,
  wanted: (item: Item) => boolean,
): Promise<Item | null> {
  for await (const item of items) if (wanted(item)) return item;
  return null;
}
