import { access, constants } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { AssayClient, Run, TargetProfileId, UseCaseId } from '@assay/client';
import { asUnreadable } from '#core';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import type { PlaceArguments } from '../../service-place.ts';
import { addressesOf, renderPlan, renderRun } from '../../tables/run-table.ts';
import { followRun } from './follow-run.ts';
import { placeFor } from './ingest-place.ts';
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
