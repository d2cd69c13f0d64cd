import { basename, join, resolve } from 'node:path';
import { generateSamples, recordingsFolder } from '#apps/samples';
import { AssayError } from '#core';
import { requireWritable } from '#engine/local';
import { parseLoaders } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import { type DataArguments, type Launcher, type Running, untilStopped } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { createServiceClient, type ServiceEndpoint } from '../../service-client.ts';
import { renderRun, runAddresses } from '../../tables/run-table.ts';
import { assertReadable, type IngestProject, ingestOnce } from './ingest.ts';
import { greeting } from './serve.ts';

export interface StartArguments extends DataArguments {
  /** Folder of the generated samples. */
  readonly samples: string;
  readonly port?: number;
  /** Ids of the loaders that recordings are judged by, separated by commas. */
  readonly loader?: string;
}

/**
 * Runs `assay start [PATH]` (also `npm start`): starts the service, prints the sign-in link, assesses the recordings in
 * the service, prints the result, and serves until it is stopped. Without PATH it assesses generated samples. The loaders
 * of `--loader` become those of the project.
 */
export async function startCommand(
  path: string | undefined,
  args: StartArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const recordings = path === undefined ? sampleRecordings(args, io) : ownRecordings(path, args);
  await recordings.check();
  return serveRecordings(recordings, args, io, launcher);
}

/** Recordings that are assessed and served. */
interface StartedRecordings {
  readonly folder: string;
  /** Folder that the service may read. */
  readonly root: string;
  readonly project: IngestProject;
  /** Throws if they cannot be read, or not be created, before a service is started. */
  check(): Promise<void>;
  /** Creates them if they are samples that do not exist. */
  prepare(): Promise<void>;
}

function ownRecordings(path: string, { loader }: StartArguments): StartedRecordings {
  requireLocalPath(path, 'assay start');
  const folder = resolve(path);
  const loaders = loader === undefined ? undefined : parseLoaders(loader);
  return {
    ...{ folder, root: folder },
    project: { name: basename(folder), workspace: 'default', useCase: 'data-assessment', loaders },
    check: () => assertReadable(folder),
    prepare: async () => {},
  };
}

function sampleRecordings({ samples }: StartArguments, io: Io): StartedRecordings {
  const root = resolve(samples);
  return {
    ...{ folder: join(root, recordingsFolder), root },
    // Its use case allows exports; that of an assessment does not.
    project: {
      ...{ name: 'samples', workspace: 'samples', useCase: 'robotic-manipulation' },
      loaders: undefined,
    },
    check: async () => void requireWritable(root),
    prepare: () => createSamples(root, io),
  };
}

/** Generates the samples in `folder` unless they exist, with a line of progress for each tenth. */
export async function createSamples(folder: string, io: Io): Promise<void> {
  let lastShare = -1;
  await generateSamples(folder, {
    onProgress: (share, what) => {
      if (lastShare < 0)
        io.note('assay: creating sample recordings, some corrupted on purpose (first run only)\n');
      else if (share - lastShare < 0.1) return;
      else io.note(`assay: ${Math.round(share * 100)} % of the samples created (${what})\n`);
      lastShare = Math.max(0, share);
    },
    signal: io.signal,
  });
}

async function serveRecordings(
  recordings: StartedRecordings,
  args: StartArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const there = await launcher.findService(args);
  if (there !== null) {
    io.note(`Service:     already running at ${there.address}\n`);
    if (await tryIngest(there, recordings, io)) return 0;
    const { data_folder } = await launcher.modelPlace(args);
    const beside = { ...args, data: `${data_folder}-${folderName(recordings.folder)}` };
    io.note(
      `It is not allowed to read ${recordings.folder}; starting a separate service with data folder ${beside.data}\n`,
    );
    return serveRecordings(recordings, beside, io, launcher);
  }
  const service = await launcher.startService({
    ...{ ...args, root: [recordings.root], quiet: true, free_port: true },
  });
  try {
    await assessAndServe(service, recordings, args, io, launcher);
    return 0;
  } finally {
    await service.stop();
  }
}

/** Prints the link, since results can be watched as they come, then assesses, and waits until the command is stopped. */
async function assessAndServe(
  service: Running,
  recordings: StartedRecordings,
  args: DataArguments,
  io: Io,
  launcher: Launcher,
): Promise<void> {
  io.note(
    `\n${await greeting(service)}Open the link now: results appear while the recordings are assessed.\n\n`,
  );
  const place = await launcher.findService(args);
  if (place !== null) await ingestAndReport(place, recordings, io);
  io.note(
    `\nServing ${service.address}. Press Ctrl-C to stop it. npm start starts it again with all its data.\n`,
  );
  await untilStopped(io);
  io.note('assay: stopping; waiting for work in progress to finish\n');
}

const folderName = (path: string): string => basename(path).replace(/[^\w.-]+/g, '_') || 'recordings';

/** Ingests recordings into a running service. Returns `false` if the service may not read the folder. */
async function tryIngest(place: ServiceEndpoint, recordings: StartedRecordings, io: Io): Promise<boolean> {
  try {
    await ingestAndReport(place, recordings, io);
    return true;
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'source_not_allowed') return false;
    throw thrown;
  }
}

/** Assesses the recordings unless an earlier run has, and prints the result before they are annotated. */
async function ingestAndReport(
  place: ServiceEndpoint,
  { folder, project, prepare }: StartedRecordings,
  io: Io,
): Promise<void> {
  await prepare();
  const client = createServiceClient(place);
  await ingestOnce(client, folder, project, io, async (run) =>
    io.out(await renderRun(client, run, io, runAddresses(client, run))),
  );
}
