import { basename, join, resolve } from 'node:path';
import { recordingsFolder } from '#apps/samples';
import { AssayError } from '#core';
import { parseLoaders } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import { type Launcher, untilStopped } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { createServiceClient, type ServiceEndpoint } from '../../service-client.ts';
import { renderRun, runAddresses } from '../../tables/run-table.ts';
import { type AssessArguments, assessCommand } from '../assess/assess.ts';
import { demoCommand } from '../demo/demo.ts';
import { type IngestProject, ingestOnce } from './ingest.ts';
import { greeting } from './serve.ts';

export interface StartArguments extends AssessArguments {
  /** Folder of samples and reports. */
  readonly out: string;
  readonly data?: string;
  readonly port?: number;
  /** `false` exits after the table. */
  readonly serve?: boolean;
}

/**
 * Runs `assay start [PATH]` (also `npm start`): assesses the recordings, writes the report, then serves them until it
 * is stopped; the loaders of `--loader` become those of the project. Without PATH it uses generated samples.
 */
export async function startCommand(
  path: string | undefined,
  args: StartArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (path !== undefined) requireLocalPath(path, 'assay start');
  const code =
    path === undefined
      ? await demoCommand({ out: join(args.out, 'demo') }, io, launcher)
      : await assessCommand(path, { ...args, out: join(args.out, safeName(path)) }, io, launcher);
  if (args.serve === false || code > 1 || io.signal.aborted) return code;
  const folder = resolve(path ?? join(args.out, 'demo', 'samples', recordingsFolder));
  const { loader } = args;
  const project: IngestProject =
    path === undefined
      ? { ...sampleProject, loaders: undefined }
      : {
          ...{ name: basename(folder), workspace: 'default', useCase: 'data-assessment' },
          loaders: loader === undefined ? undefined : parseLoaders(loader),
        };
  return serveRecordings(folder, project, args, io, launcher);
}

/** Project of the samples. Its use case allows exports; that of an assessment does not. */
const sampleProject = { name: 'samples', workspace: 'samples', useCase: 'robotic-manipulation' } as const;

const safeName = (path: string): string => basename(resolve(path)).replace(/[^\w.-]+/g, '_') || 'recordings';

async function serveRecordings(
  folder: string,
  project: IngestProject,
  args: StartArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const there = await launcher.findService(args);
  if (there !== null) {
    io.note(`Service:     already running at ${there.address}\n`);
    if (await tryIngest(there, folder, project, io)) return 0;
    const { data_folder } = await launcher.modelPlace(args);
    const beside = { ...args, data: `${data_folder}-${safeName(folder)}` };
    io.note(
      `It is not allowed to read ${folder}; starting a separate service with data folder ${beside.data}\n`,
    );
    return serveRecordings(folder, project, beside, io, launcher);
  }
  const service = await launcher.startService({ ...args, root: [folder], quiet: true, free_port: true });
  try {
    const place = await launcher.findService(args);
    if (place !== null) await ingestAndReport(place, folder, project, io);
    io.note(
      `\n${await greeting(service)}Press Ctrl-C to stop it. npm start starts it again with all its data.\n`,
    );
    await untilStopped(io);
    io.note('assay: stopping; waiting for work in progress to finish\n');
    return 0;
  } finally {
    await service.stop();
  }
}

/** Ingests recordings into a running service. Returns `false` if the service may not read the folder. */
async function tryIngest(
  place: ServiceEndpoint,
  folder: string,
  project: IngestProject,
  io: Io,
): Promise<boolean> {
  try {
    await ingestAndReport(place, folder, project, io);
    return true;
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'source_not_allowed') return false;
    throw thrown;
  }
}

/** Ingests the folder and prints the run; does nothing if the project has a successful run. */
async function ingestAndReport(
  place: ServiceEndpoint,
  folder: string,
  project: IngestProject,
  io: Io,
): Promise<void> {
  const client = createServiceClient(place);
  const run = await ingestOnce(client, folder, project, io);
  if (run === null) return;
  const columns = Math.min(io.columns, 160);
  io.note(await renderRun(client, run, { columns, where: runAddresses(client, run) }));
}
