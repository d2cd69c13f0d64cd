/** Public API for HTTP sources, separate from `#io/sources`, so that reading local folders does not load it. */
import type { RecordingsRef } from '../recordings-ref.ts';
import { RemoteRecordings } from '../remote/remote-recordings.ts';
import { readListing, WebObjects } from './web-objects.ts';

export { clearCache } from '../cache/object-cache.ts';
export { formatAddress, type WebAddress, webAddress } from './address.ts';
export { type ListingLimits, listWeb, locateWeb, type WebFiles } from './locate.ts';
export { AddressRules, guardedFetch, requireReachable } from './network-guard.ts';
export { Traffic } from './traffic.ts';

/**
 * Opens recordings at a web address from its listing file, so in the state in which they were listed; throws AssayError
 * if the listing cannot be read. The caller must close them.
 */
export async function openWebRecordings(
  ref: Extract<RecordingsRef, { kind: 'web' }>,
): Promise<RemoteRecordings> {
  return RemoteRecordings.open(new WebObjects(ref, await readListing(ref.listing_file)), ref.access);
}
