import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { DataArguments } from '#apps/cli';
import { limits } from '#core';
import type { SourceAccess, WebSourceAccess } from '#io/sources';
import { clearCache } from '#io/sources/s3';
import {
  clearPartialBlobs,
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
import { hubToken } from './web-settings.ts';

/** The opened data folder, database, blob store and queue of this process. */
export interface Installation extends Store {
  readonly config: Config;
  /** Name of this process among those that share the database; the holder of a data folder keeps it across restarts. */
  readonly worker: string;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly log?: Log;
  /** Does not lock the data folder, for use beside a running service. */
  readonly shares_folder?: boolean;
}

/** Time limit for answers of the blob store, so that clients get an error within five seconds. */
const blobTimeout_ms = limits.storage.blob_answer_ms.value;

const noLock = { release: () => {} };

/**
 * Locks the data folder, migrates the database and opens blobs and queue. Throws `folder_locked`,
 * `database_unavailable`, `storage_unavailable`, after closing what it had opened.
 */
export async function openInstallation(config: Config, options: OpenOptions = {}): Promise<Installation> {
  const { log, shares_folder } = options;
  const lock = shares_folder === true ? noLock : lockFolder(config.data_folder);
  let database: Database | null = null;
  try {
    database = await openDatabase(config);
    await migrate(database);
    if (shares_folder !== true) {
      clearPartialBlobs(config.blobs);
      clearCache(join(config.data_folder, 'cache'));
    }
    const blobs = openBlobs(config.blobs, { answer_ms: blobTimeout_ms });
    const worker = workerName(config.data_folder, shares_folder !== true);
    const queue = await openQueue(database, {
      worker,
      onError: (error) =>
        log?.warn({ error: error.message }, 'a job queue operation failed; the queue continues'),
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
    notifications: config.notifications,
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
    web: webSourceAccess(config),
  };
}

/** Reads the token only if a tenant may use it. */
function webSourceAccess({ source_web, web }: Config): WebSourceAccess {
  const token = source_web.token_tenants.length === 0 ? null : hubToken(web);
  return { ...source_web, endpoint: web.endpoint, token };
}

/**
 * Opens the installation for a single command. With a database server it works beside a running service; the embedded
 * database is locked to one process.
 */
export async function openForCommand(args: DataArguments): Promise<Installation> {
  const config = readConfig(process.env, args.data === undefined ? {} : { data: args.data });
  return openInstallation(config, { shares_folder: config.database_url !== null });
}

/**
 * Returns the worker name. The holder of a data folder reuses the name stored there, so that it resumes its own work
 * after a crash; others get a new one.
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

/** Maximum buffer of unwritten log lines; further lines are dropped. */
const maxLog_bytes = 1024 ** 2;

/**
 * Creates a logger that writes one JSON object a line to standard error, with tokens redacted. Write errors, such as a
 * full disk, are ignored.
 */
export function createLog({ log_level }: Pick<Config, 'log_level'>, fd = 2) {
  const lines = pino.destination({ fd, sync: true, maxLength: maxLog_bytes });
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
