import { join } from 'node:path';
import type { RequestText } from '@assay/client';
import { AssayError } from '#core';
import { defaultTenant } from '#service/operations';
import type { Store } from '#store';
import type { DataArguments, Launcher } from './launcher.ts';

/** The same over HTTP: what a person can type while a service holds the data folder. */
export interface Instead {
  readonly request: RequestText;
  readonly tenant: string;
}

/**
 * Opens the installation's store for one command and closes it again. While a service holds the data folder the
 * refusal says how to ask that service for the same.
 */
export async function withStore<T>(
  launcher: Launcher,
  args: DataArguments,
  instead: Instead,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await launcher.openStore(args).catch(async (thrown) => {
    throw await withAdvice(thrown, launcher, args, instead);
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function withAdvice(
  thrown: unknown,
  launcher: Launcher,
  args: DataArguments,
  instead: Instead,
): Promise<unknown> {
  if (!(thrown instanceof AssayError) || thrown.code !== 'folder_locked') return thrown;
  const service = await launcher.findService(args).catch(() => null);
  if (service === null) return thrown;
  return new AssayError('folder_locked', `${thrown.message}: the service at ${service.address}`, {
    ...(thrown.path === null ? {} : { path: thrown.path }),
    advice: `ask that service instead: ${curl(service.address, tokenFor(instead.tenant, thrown.path), instead.request)}`,
    cause: thrown,
  });
}

/** The data folder keeps a token of the default tenant only. */
function tokenFor(tenant: string, folder: string | null): string {
  if (tenant === defaultTenant && folder !== null) return `$(cat ${quoted(join(folder, 'admin-token'))})`;
  return `<an admin token of ${tenant}>`;
}

function curl(address: string, token: string, { method, path, body }: RequestText): string {
  return [
    'curl',
    ...(method === 'GET' || body !== null ? [] : ['-X', method]),
    `-H "Authorization: Bearer ${token}"`,
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", '-d', quoted(body)]),
    quoted(`${address}${path}`),
  ].join(' ');
}

/** For a POSIX shell; a path inside the double quotes of `$(…)` may be quoted so, too. */
const quoted = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
