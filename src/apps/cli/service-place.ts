import type { AssayClient } from '@assay/client';
import { AssayError } from '#core';
import type { DataArguments, Launcher } from './launcher.ts';
import { createServiceClient, type ServicePlace } from './service-client.ts';

/** Options of commands that speak to a service. */
export interface PlaceArguments extends DataArguments {
  /** A service elsewhere; its token comes from ASSAY_TOKEN. */
  readonly url?: string;
  readonly token?: string;
}

/** The service that is meant: the one named, else the one on the data folder; null where that has none. */
export async function findPlace(args: PlaceArguments, launcher: Launcher): Promise<ServicePlace | null> {
  if (args.url === undefined) return launcher.findService(args);
  if (args.token === undefined) {
    throw new AssayError('usage', '--url needs a token', { advice: 'pass --token, or set ASSAY_TOKEN' });
  }
  return { address: args.url.replace(/\/$/, ''), token: args.token };
}

/** A client of the service that is meant. Throws `not_ready` where none answers on the data folder. */
export async function reachService(args: PlaceArguments, launcher: Launcher): Promise<AssayClient> {
  const place = await findPlace(args, launcher);
  if (place !== null) return createServiceClient(place);
  throw noService(args);
}

/** What to do where no service answers on the data folder. */
export function noService({ data }: DataArguments): AssayError {
  const folder = data === undefined ? '' : ` --data ${data}`;
  return new AssayError('not_ready', 'no service answers on the data folder', {
    advice: `start one with \`assay serve${folder}\`, or name one elsewhere with --url and --token`,
  });
}
