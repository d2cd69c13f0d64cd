import { type LocatedRecordings, locateRecordings, type WebTraffic } from '#engine/local';
import type { Io } from './io.ts';
import type { Launcher } from './launcher.ts';
import { bytesInWords } from './text.ts';

export interface AddressArguments {
  /** Allows unencrypted `http://` to other machines. */
  readonly plainHttp?: boolean;
}

/**
 * Opens recordings by path or address, calls `work` and closes them. Prints how much was fetched if they were remote.
 */
export async function withRecordings<T>(
  text: string,
  { plainHttp }: AddressArguments,
  io: Io,
  launcher: Pick<Launcher, 'webSettings'>,
  work: (located: LocatedRecordings) => Promise<T>,
): Promise<T> {
  const settings = async () => {
    io.note(`assay: listing ${text}\n`);
    return { ...(await launcher.webSettings()), plain_http: plainHttp === true };
  };
  const located = await locateRecordings(text, settings);
  const { label, traffic } = located;
  if (traffic !== null) io.note(`assay: reading ${label}\n`);
  try {
    return await work(located);
  } finally {
    if (traffic !== null) io.note(`assay: ${trafficInWords(traffic)}\n`);
    await located.close();
  }
}

function trafficInWords({ fetched_bytes, cached_bytes, listed_bytes }: WebTraffic): string {
  const share = listed_bytes > 0 ? ` (${((100 * fetched_bytes) / listed_bytes).toFixed(1)} %)` : '';
  const cached = cached_bytes > 0 ? `, ${bytesInWords(cached_bytes)} from the cache` : '';
  return `fetched ${bytesInWords(fetched_bytes)} of ${bytesInWords(listed_bytes)}${share}${cached}`;
}

/** Returns a function that gives the fetched size for a progress line; `undefined` for local recordings. */
export function createFetchedSuffix(traffic: WebTraffic | null): (() => string) | undefined {
  return traffic === null ? undefined : () => `, ${bytesInWords(traffic.fetched_bytes)} fetched`;
}
