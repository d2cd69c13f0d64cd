import { join } from 'node:path';
import type { RequestText } from '#client';
import { AssayError } from '#core';
import { defaultTenant } from '#service/operations';
import type { Store } from '#store';
import type { DataArguments, Launcher } from './launcher.ts';

/** The equivalent HTTP request, suggested to the user while a service holds the data folder. */
export interface HttpAlternative {
  readonly request: RequestText;
  readonly tenant: string;
}

/**
 * Opens the store for one command and closes it again. If a service holds the data folder, the error suggests the
 * equivalent request to it.
 */
export async function withStore<T>(
  launcher: Launcher,
  args: DataArguments,
  instead: HttpAlternative,
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
  instead: HttpAlternative,
): Promise<unknown> {
  if (!(thrown instanceof AssayError) || thrown.code !== 'folder_locked') return thrown;
  const service = await launcher.findService(args).catch(() => null);
  if (service === null) return thrown;
  return new AssayError('folder_locked', `${thrown.message}: the service at ${service.address}`, {
    ...(thrown.path === null ? {} : { path: thrown.path }),
    advice: `send the request to that service instead: ${curl(service.address, tokenFor(instead.tenant, thrown.path), instead.request)}`,
    cause: thrown,
  });
}

/** Returns a shell expression for an admin token. The data folder holds one for the default tenant only. */
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

/** Quotes text for a POSIX shell if needed. A path inside `"$(…)"` may be quoted this way, too. */
const quoted = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
