import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { BlobsOptions } from '#store';

const python = process.env.ASSAY_SERVERS_PYTHON;

/** For `describe.skipIf(!haveServers)`: test/interop/install-peers.sh installs what they need. */
export const haveServers = python !== undefined;

/** A group's title, saying why where it is skipped. */
export const onServers = (title: string): string =>
  haveServers ? title : `${title} (skipped: set ASSAY_SERVERS_PYTHON)`;

interface Running {
  readonly facts: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The server ends when its standard input does: at `stop`, or when this process dies. */
async function run(kind: 'postgres' | 's3', argument: string): Promise<Running> {
  const script = join(import.meta.dirname, 'servers.py');
  const child: ChildProcess = spawn(python ?? 'python3', [script, kind, argument], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr!.on('data', (bytes) => {
    said = (said + bytes).slice(-4000);
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout!), 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`the ${kind} server did not start: ${said}`);
    }),
  ]);
  return {
    facts: JSON.parse(line),
    stop: async () => {
      child.stdin!.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

export interface TestPostgres {
  /** `postgresql://…` of an empty database, over a socket in a temporary folder. */
  readonly url: string;
  /** Ends the server and every connection; the rows stay. */
  halt(): Promise<void>;
  /** Starts it again at the same address after `halt`. */
  resume(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** A PostgreSQL 18 with pgvector of its own. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pg-'));
  let server = await run('postgres', folder);
  return {
    url: server.facts.url,
    halt: () => server.stop(),
    resume: async () => {
      server = await run('postgres', folder);
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface TestS3 {
  readonly endpoint: string;
  readonly client: S3Client;
  /** Makes an empty bucket and answers how to open it, or a prefix of it, as a blob store. */
  bucket(name: string, prefix?: string): Promise<Extract<BlobsOptions, { kind: 's3' }>>;
  stop(): Promise<void>;
}

/** An S3 server (moto) that keeps objects in memory. */
export async function startS3(): Promise<TestS3> {
  const server = await run('s3', '0');
  const { endpoint } = server.facts;
  const keys = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: keys });
  return {
    endpoint,
    client,
    bucket: async (name, prefix = '') => {
      await client.send(new CreateBucketCommand({ Bucket: name }));
      return {
        kind: 's3',
        bucket: name,
        prefix,
        region: 'us-east-1',
        endpoint,
        force_path_style: true,
        access_key_id: keys.accessKeyId,
        secret_access_key: keys.secretAccessKey,
      };
    },
    stop: async () => {
      client.destroy();
      await server.stop();
    },
  };
}
