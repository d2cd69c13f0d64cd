import { basename, resolve } from 'node:path';
import {
  type AssayClient,
  all,
  type Project,
  type Run,
  type Source,
  type TargetProfileId,
  type UseCaseId,
} from '@assay/client';
import { AssayError } from '#kernel';
import { demandNoAddress } from '../demand-no-address.ts';
import { findIn } from '../find-in.ts';
import type { Io } from '../io.ts';
import type { Launcher } from '../launcher.ts';
import { createServiceClient } from '../service-client.ts';
import { findPlace, type PlaceArguments } from '../service-place.ts';
import { addressesOf, renderPlan, renderRun } from '../tables/run-table.ts';
import { followRun } from './follow-run.ts';

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
  const { client, stays, done } = await reach(folder, args, launcher);
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

interface Reached {
  readonly client: AssayClient;
  /** False: the service was started for this and ends with it. */
  readonly stays: boolean;
  done(): Promise<void>;
}

async function reach(folder: string, args: IngestArguments, launcher: Launcher): Promise<Reached> {
  const there = await findPlace(args, launcher);
  if (there !== null) return { client: createServiceClient(there), stays: true, done: async () => {} };
  const own = await launcher.startService({
    ...args,
    host: '127.0.0.1',
    port: 0,
    root: [folder],
    quiet: true,
  });
  const place = await launcher.findService(args);
  if (place === null) throw new AssayError('internal', 'the service that was started does not answer');
  return { client: createServiceClient(place), stays: false, done: own.stop };
}

/** Null where only the plan was asked for. */
async function ingest(
  client: AssayClient,
  folder: string,
  args: IngestArguments,
  io: Io,
): Promise<Run | null> {
  const project = await projectFor(client, args, basename(folder));
  const source = await sourceFor(client, project, folder);
  const asked = { project_id: project.id, source_id: source.id };
  const plan = await client.runs.plan(asked);
  if (args.plan === true) {
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
  const { id } = await projectFor(client, args, project);
  const { items } = await client.runs.list({ project_id: id, status: 'succeeded', limit: 1 });
  return items.length > 0 ? null : ingest(client, folder, args, io);
}

async function projectFor(client: AssayClient, args: IngestArguments, folder: string): Promise<Project> {
  const workspace =
    (await findIn(all(client.workspaces.list, {}), ({ name }) => name === args.workspace)) ??
    (await client.workspaces.create({ name: args.workspace, use_case: args.useCase }));
  const name = args.project ?? folder;
  const projects = all(client.projects.list, { workspace_id: workspace.id });
  return (
    (await findIn(projects, (project) => project.name === name)) ??
    client.projects.create({
      workspace_id: workspace.id,
      name,
      target_profile: args.profile ?? 'behaviour-cloning',
    })
  );
}

async function sourceFor(client: AssayClient, { id }: Project, path: string): Promise<Source> {
  const same = ({ location, state }: Source) =>
    location.kind === 'folder' && location.path === path && state === 'ready';
  return (
    (await findIn(all(client.sources.list, { project_id: id }), same)) ??
    client.sources.create({ project_id: id, kind: 'folder', path })
  );
}
