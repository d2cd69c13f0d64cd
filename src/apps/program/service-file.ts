import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { DataArguments } from '#apps/cli';
import { AssayError } from '#core';
import { readConfig } from './config.ts';

/** Contents of `service.json`, which tells commands on this machine where the service of a data folder answers. */
const serviceFileSchema = z.object({ address: z.url(), process: z.int() });

const fileOf = (data_folder: string) => join(data_folder, 'service.json');

/** Writes `service.json` atomically and returns a function that removes it. */
export function writeServiceFile(data_folder: string, address: string): () => void {
  const file = fileOf(data_folder);
  writeFileSync(`${file}.new`, JSON.stringify({ address, process: process.pid }));
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}

/**
 * Returns address and token of the service on a data folder; `null` if none answers. A killed service leaves its file
 * behind, so its health is checked. Throws `unauthenticated` if the token cannot be read.
 */
export async function findService(args: DataArguments): Promise<{ address: string; token: string } | null> {
  const { data_folder, client_token } = readConfig(
    process.env,
    args.data === undefined ? {} : { data: args.data },
  );
  const address = readAddress(data_folder);
  if (address === null || !(await isHealthy(address))) return null;
  return { address, token: client_token ?? readToken(data_folder) };
}

/**
 * Adds the address of the service that holds the data folder to a `folder_locked` error. Returns other errors
 * unchanged.
 */
export async function withServiceAddress(
  thrown: unknown,
  { data_folder }: { data_folder: string },
): Promise<unknown> {
  if (!(thrown instanceof AssayError) || thrown.code !== 'folder_locked') return thrown;
  const address = readAddress(data_folder);
  if (address === null || !(await isHealthy(address))) return thrown;
  return new AssayError('folder_locked', `${thrown.message}: the service at ${address}`, {
    path: data_folder,
    advice: `use that service, stop it, or start a second one with --data DIR --port N`,
    cause: thrown,
  });
}

function readAddress(data_folder: string): string | null {
  try {
    return serviceFileSchema.parse(JSON.parse(readFileSync(fileOf(data_folder), 'utf8'))).address;
  } catch {
    return null;
  }
}

/** Time limit of a health check. A busy service answers late; a stopped one refuses the connection at once. */
const healthTimeout_ms = 20_000;

async function isHealthy(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(healthTimeout_ms) })).ok;
  } catch {
    return false;
  }
}

function readToken(data_folder: string): string {
  const file = join(data_folder, 'admin-token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    throw new AssayError('unauthenticated', `the token in ${file} cannot be read`, {
      path: file,
      advice: 'set ASSAY_TOKEN to a token of the service, or run this as the user who started it',
      cause: thrown,
    });
  }
}
