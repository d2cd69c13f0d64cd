import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Recordings } from './open-recordings.ts';

/** How recordings behind an address are read; from the environment and the command line. */
export interface WebSettings {
  readonly token: string | null;
  /** Of the hub, without a slash at its end. */
  readonly endpoint: string;
  readonly plain_http: boolean;
  readonly cache_folder: string;
  readonly cache_bytes: number;
}

/** What was read over the network so far, in bytes. */
export interface WebTraffic {
  readonly fetched_bytes: number;
  readonly cached_bytes: number;
  readonly listed_bytes: number;
  readonly requests: number;
}

export interface LocatedRecordings {
  readonly recordings: Recordings;
  /** As it was asked for, with the revision that was found. */
  readonly label: string;
  /** Null: they lie on this machine. */
  readonly traffic: WebTraffic | null;
  close(): Promise<void>;
}

/**
 * What a person named: a path, `hf://datasets/OWNER/NAME[@REVISION]` or `https://host/folder`. What is behind an address
 * is listed once, in the state that it is in now. Throws `usage`, `not_found`, `not_permitted`, `storage_unavailable`.
 */
export async function locateRecordings(
  text: string,
  settings: () => Promise<WebSettings>,
): Promise<LocatedRecordings> {
  if (!text.includes('://')) return { recordings: text, label: text, traffic: null, close: async () => {} };
  const { clearCache, locateWeb, Traffic, webAddress } = await import('#io/sources/web');
  const address = webAddress(text);
  if (address === null) return { recordings: text, label: text, traffic: null, close: async () => {} };
  const traffic = new Traffic();
  const access = { ...(await settings()), traffic: traffic.shared };
  clearCache(access.cache_folder);
  const ref = await locateWeb(address, access);
  return {
    recordings: ref,
    label: ref.label,
    traffic,
    close: () => rm(dirname(ref.listing_file), { recursive: true, force: true }),
  };
}
