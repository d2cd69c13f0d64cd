import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderFault } from '#core';
import { ObjectCache } from '../cache/object-cache.ts';
import type { RecordingsRef, WebAccess } from '../recordings-ref.ts';
import type { WebAddress } from './address.ts';
import { drop, HttpClient } from './http-client.ts';
import { headOf, listFolder } from './listing/folder-listing.ts';
import { commitOf, listCommit } from './listing/hub-listing.ts';
import { withSums } from './listing/known-hashes.ts';
import { addressOf, type WebEntry, type WebListing } from './web-listing.ts';

type WebRef = Extract<RecordingsRef, { kind: 'web' }>;
type Place = Pick<WebRef, 'label' | 'base'> & WebListing;

/**
 * Finds out once what lies behind an address, in the state that it is in now: a revision becomes its commit, and every
 * file has the tag it was listed with. Throws `not_found`, `not_permitted`, `not_recognised`, `storage_unavailable`.
 */
export async function locateWeb(address: WebAddress, access: WebAccess): Promise<WebRef> {
  const client = new HttpClient(access);
  const place =
    address.kind === 'hub' ? await hubPlace(client, address, access) : await webPlace(client, address.url);
  const { label, base, entries, lone } = place;
  client.traffic.add(
    'listed',
    entries.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const ranges = await answersRanges(client, new URL(base), entries);
  const listing_file = await writeListing({ entries, lone }, access);
  return { kind: 'web', label, base, access, listing_file, ranges };
}

async function hubPlace(
  client: HttpClient,
  dataset: Extract<WebAddress, { kind: 'hub' }>,
  { endpoint }: WebAccess,
): Promise<Place> {
  const { owner, name } = dataset;
  const commit = await commitOf(client, endpoint, dataset);
  const entries = await listCommit(client, endpoint, dataset, commit);
  return {
    label: `hf://datasets/${owner}/${name}@${commit}`,
    base: `${endpoint}/datasets/${owner}/${name}/resolve/${commit}/`,
    entries,
    lone: null,
  };
}

async function webPlace(client: HttpClient, url: URL): Promise<Place> {
  const lone = url.pathname.endsWith('/') ? null : await loneFile(client, url);
  const base = new URL(url);
  if (lone !== null) base.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1);
  else if (!base.pathname.endsWith('/')) base.pathname += '/';
  const entries = lone === null ? await withSums(client, base, await listFolder(client, base)) : [lone];
  return { label: url.href, base: base.href, entries, lone: lone?.path ?? null };
}

/** An address without a `/` behind may be a file. A page is none. */
async function loneFile(client: HttpClient, url: URL): Promise<WebEntry | null> {
  const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  if (!/\.\w+$/.test(name)) return null;
  const answer = await client.ask(url, { method: 'HEAD' });
  await drop(answer);
  const { headers } = answer.response;
  if (answer.url.pathname.endsWith('/') || /^text\/html\b/i.test(headers.get('content-type') ?? ''))
    return null;
  return headOf(client, url, name);
}

/** Asked once, of the smallest file that shows it. */
async function answersRanges(client: HttpClient, base: URL, entries: readonly WebEntry[]): Promise<boolean> {
  const some = entries.filter(({ bytes }) => bytes > 1);
  if (some.length === 0) return true;
  const { path } = some.reduce((a, b) => (b.bytes < a.bytes ? b : a));
  const answer = await client.ask(addressOf(base, path), { headers: { range: 'bytes=0-0' } });
  await drop(answer);
  return answer.response.status !== 200;
}

async function writeListing(listing: WebListing, { cache_folder, cache_bytes }: WebAccess): Promise<string> {
  const mirror = await new ObjectCache(cache_folder, cache_bytes).openMirror();
  const file = join(mirror, 'listing.json');
  try {
    await writeFile(file, JSON.stringify(listing), { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    throw folderFault(thrown, cache_folder);
  }
  return file;
}
