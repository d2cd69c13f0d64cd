import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { DataArguments } from '#apps/cli';
import { AssayError } from '#core';
import { readConfig } from './config.ts';

/** Tells commands on the same machine where the service of a data folder answers. */
const serviceFileSchema = z.object({ address: z.url(), process: z.int() });

const fileOf = (data_folder: string) => join(data_folder, 'service.json');

/** Written when the service answers, whole or not at all; gives what removes it. */
export function writeServiceFile(data_folder: string, address: string): () => void {
  const file = fileOf(data_folder);
  writeFileSync(`${file}.new`, JSON.stringify({ address, process: process.pid }));
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}

/**
 * Address and token of the service that runs on a data folder; null when none answers. A service that was killed leaves
 * its file behind, so the address is asked.
 */
export async function findService(args: DataArguments): Promise<{ address: string; token: string } | null> {
  const { data_folder, client_token } = readConfig(
    process.env,
    args.data === undefined ? {} : { data: args.data },
  );
  const address = readAddress(data_folder);
  if (address === null || !(await answers(address))) return null;
  return { address, token: client_token ?? readToken(data_folder) };
}

/** A refusal of the data folder that says where the service answers that has it. */
export async function withHolder(
  thrown: unknown,
  { data_folder }: { data_folder: string },
): Promise<unknown> {
  if (!(thrown instanceof AssayError) || thrown.code !== 'folder_locked') return thrown;
  const address = readAddress(data_folder);
  if (address === null || !(await answers(address))) return thrown;
  return new AssayError('folder_locked', `${thrown.message}: the service at ${address}`, {
    path: data_folder,
    advice: `use that service, stop its process, or start another beside it with --data DIR --port N`,
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

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(2000) })).ok;
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
