import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { DataArguments } from '#apps/cli';
import { limits } from '#core';
import type { SourceAccess } from '#io/sources';
import { clearCache } from '#io/sources/s3';
import {
  clearHalfWritten,
  type Database,
  lockFolder,
  migrate,
  openBlobs,
  openEmbedded,
  openQueue,
  openServer,
  type Store,
} from '#store';
import { type Config, readConfig } from './config.ts';

/** A data folder held by this process, with everything open that lies in it or is shared. */
export interface Installation extends Store {
  readonly config: Config;
  /** Names this process among all that share the database; whoever holds a data folder has the same after a restart. */
  readonly worker: string;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly log?: Log;
  /** Leaves the data folder to whichever process has it. */
  readonly shares_folder?: boolean;
}

/** Clients are answered within five seconds where the blob store is away. */
const answer_ms = limits.storage.blob_answer_ms.value;

const unlocked = { release: () => {} };

/**
 * Takes the data folder's lock, brings the database up to date, opens blobs and queue. Throws `folder_locked`,
 * `database_unavailable`, `storage_unavailable`; what was opened is closed again.
 */
export async function openInstallation(config: Config, options: OpenOptions = {}): Promise<Installation> {
  const { log, shares_folder } = options;
  const lock = shares_folder === true ? unlocked : lockFolder(config.data_folder);
  let database: Database | null = null;
  try {
    database = await openDatabase(config);
    await migrate(database);
    if (shares_folder !== true) {
      clearHalfWritten(config.blobs);
      clearCache(join(config.data_folder, 'cache'));
    }
    const blobs = openBlobs(config.blobs, { answer_ms });
    const worker = workerName(config.data_folder, shares_folder !== true);
    const queue = await openQueue(database, {
      worker,
      onError: (error) => log?.warn({ error: error.message }, 'the queue met a fault and goes on'),
    });
    return assemble(config, { database, blobs, queue, worker }, lock);
  } catch (thrown) {
    await database?.close().catch(() => {});
    lock.release();
    throw thrown;
  }
}

async function openDatabase({ data_folder, database_url }: Config): Promise<Database> {
  return database_url === null ? openEmbedded(data_folder) : openServer(database_url);
}

function assemble(
  config: Config,
  parts: Pick<Installation, 'database' | 'blobs' | 'queue' | 'worker'>,
  lock: { release(): void },
): Installation {
  return {
    ...parts,
    config,
    data_folder: config.data_folder,
    source_access: sourceAccess(config),
    prices: config.prices,
    ...(config.signing_command === null ? {} : { signing_command: config.signing_command }),
    environment_models: config.environment_models,
    onnx_provider: config.onnx_provider,
    ...(config.vision_endpoint === null ? {} : { vision_endpoint: config.vision_endpoint }),
    copilot_providers: config.copilot_providers,
    close: async () => {
      await parts.queue.stop(0);
      parts.blobs.close();
      await parts.database.close();
      lock.release();
    },
  };
}

function sourceAccess(config: Config): SourceAccess {
  const { blobs, data_folder } = config;
  return {
    roots: config.source_roots,
    private_folders: [data_folder, ...(blobs.kind === 'folder' ? [blobs.folder] : [])],
    buckets: config.source_buckets,
    s3: config.s3,
    cache_folder: join(data_folder, 'cache'),
    cache_bytes: config.cache_bytes,
    max_upload_bytes: config.max_upload_bytes,
  };
}

/**
 * The store of a data folder, for a command that does one thing with it. On a database server it works beside a running
 * service; the embedded database is one process's own.
 */
export async function openForCommand(args: DataArguments): Promise<Installation> {
  const config = readConfig(process.env, args.data === undefined ? {} : { data: args.data });
  return openInstallation(config, { shares_folder: config.database_url !== null });
}

/**
 * Names a process among all that share the database. Whoever holds a data folder keeps the name it wrote there, so that
 * started again after a crash it takes up its own work at once; others have a name for once.
 */
function workerName(data_folder: string, holds_folder: boolean): string {
  const fresh = `${hostname()}-${randomBytes(6).toString('hex')}`;
  if (!holds_folder) return fresh;
  const file = join(data_folder, 'worker-name');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    writeFileSync(`${file}.new`, fresh);
    renameSync(`${file}.new`, file);
    return fresh;
  }
}

export type Log = ReturnType<typeof createLog>;

/** Lines that could not be written yet are kept up to here; further ones are lost. */
const kept_bytes = 1024 ** 2;

/**
 * Structured lines on standard error, one JSON object each; secrets are cut out should they ever come near. Where they
 * cannot be written, as on a full disk, the service goes on without.
 */
export function createLog({ log_level }: Pick<Config, 'log_level'>, fd = 2) {
  const lines = pino.destination({ fd, sync: true, maxLength: kept_bytes });
  lines.on('error', () => {});
  return pino(
    {
      level: log_level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['token', '*.token', 'headers.authorization', '*.headers.authorization'],
    },
    lines,
  );
}
