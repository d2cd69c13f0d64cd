import type { AssayClient } from '#client';
import { AssayError } from '#core';
import type { DataArguments, Launcher } from './launcher.ts';
import { createServiceClient, type ServiceEndpoint } from './service-client.ts';

/** Options of commands that use a running service. */
export interface ServiceArguments extends DataArguments {
  /** Base URL of a remote service; its token comes from `token` or ASSAY_TOKEN. */
  readonly url?: string;
  readonly token?: string;
}

/**
 * Returns the service of `--url`, else the one on the data folder; `null` if none runs there. Throws `usage` for a URL
 * without a token.
 */
export async function findEndpoint(
  args: ServiceArguments,
  launcher: Launcher,
): Promise<ServiceEndpoint | null> {
  if (args.url === undefined) return launcher.findService(args);
  if (args.token === undefined) {
    throw new AssayError('usage', '--url needs a token', { advice: 'pass --token, or set ASSAY_TOKEN' });
  }
  return { address: args.url.replace(/\/$/, ''), token: args.token };
}

/** Creates a client for the selected service. Throws `not_ready` if none answers on the data folder. */
export async function reachService(args: ServiceArguments, launcher: Launcher): Promise<AssayClient> {
  const place = await findEndpoint(args, launcher);
  if (place !== null) return createServiceClient(place);
  throw noServiceError(args);
}

/** Returns the error for a data folder on which no service answers. */
export function noServiceError({ data }: DataArguments): AssayError {
  const folder = data === undefined ? '' : ` --data ${data}`;
  return new AssayError('not_ready', 'no service is running on the data folder', {
    advice: `start one with \`assay serve${folder}\`, or use a remote service with --url and --token`,
  });
}
