import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AssayError, blobFolderError, limits, sha256 } from '#core';
import { makeFolder, type RecordingsRef, stagingName, type WebSourceAccess } from '#io/sources';
import { formatAddress, Traffic, type WebAddress, webAddress } from '#io/sources/web';
import type { Store, sourceRows, WebLocation } from '#store';
import type { ListedAddress } from './steps/list-address.ts';
import { doInThread } from './threads/path-threads.ts';

type WebRef = Extract<RecordingsRef, { kind: 'web' }>;
type WebStore = Pick<Store, 'blobs' | 'source_access'>;
/** A source whose listings are stored. */
type SourceId = Pick<sourceRows.SourceRow, 'tenant_id' | 'id'>;

/**
 * Returns the address in its normal form, if it is one that the service reads; null for anything else, such as a path.
 * Throws `source_not_allowed` for addresses that the operator does not allow, `invalid_request` for invalid ones.
 */
export function requireAllowedAddress({ allows }: WebSourceAccess, text: string): string | null {
  const address = parseAddress(text);
  if (address === null) return null;
  if (allows === 'all' || (allows === 'hub' && address.kind === 'hub')) return formatAddress(address);
  const what = address.kind === 'hub' ? 'hf://' : 'https://';
  throw new AssayError('source_not_allowed', `this service does not read ${what} addresses`, {
    advice: 'download the recordings and upload them; the operator can allow it with ASSAY_SOURCE_WEB',
  });
}

function parseAddress(text: string): WebAddress | null {
  try {
    return webAddress(text);
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    const { message, advice } = thrown;
    throw new AssayError('invalid_request', message, advice === null ? {} : { advice });
  }
}

/** Maximum number of addresses listed at a time, in all and for one tenant. */
const maxListings = { all: 8, tenant: 2 };
/** Tenants of the addresses that are being listed. */
const listing: string[] = [];

/**
 * Lists the files of an address now, stores the listing, so that this state can be read later, and returns its revision,
 * number of files and size. Throws `source_not_allowed`, `invalid_request` if nothing readable is there, `limit_exceeded`,
 * `storage_unavailable`, `busy`.
 */
export async function listWebSource(store: WebStore, of: SourceId, address: string): Promise<ListedAddress> {
  const own = listing.filter((tenant_id) => tenant_id === of.tenant_id);
  if (listing.length >= maxListings.all || own.length >= maxListings.tenant)
    throw new AssayError('busy', 'the service is busy listing other addresses', {
      advice: 'try again in a minute',
    });
  const { cache_folder, web } = store.source_access;
  requireAllowedAddress(web, address);
  const file = stagingFile(cache_folder);
  listing.push(of.tenant_id);
  try {
    const maxima = {
      files: limits.storage.web_source_files.value,
      bytes: web.max_bytes,
      time_ms: limits.storage.web_listing_ms.value,
    };
    const access = accessFor(store, of.tenant_id, address, new Traffic());
    const listed = await doInThread(
      { type: 'list-web', recordings: address, access, limits: maxima, file },
      {},
    );
    await store.blobs.putFile(listingKey(of, listed.revision), file);
    return listed;
  } catch (thrown) {
    throw inServiceWords(thrown, address);
  } finally {
    listing.splice(listing.indexOf(of.tenant_id), 1);
    await rm(file, { force: true });
  }
}

/**
 * Returns a reference to a source's recordings in a revision that was listed before, with a local copy of that listing. Throws
 * `source_not_allowed` if the operator no longer allows the address, `storage_unavailable`.
 */
export async function openWebSource(
  store: WebStore,
  source: SourceId & { readonly location: WebLocation },
  revision: string,
  traffic: Traffic,
): Promise<WebRef> {
  const { cache_folder, web } = store.source_access;
  const { address } = source.location;
  requireAllowedAddress(web, address);
  return {
    kind: 'web',
    label: address,
    access: accessFor(store, source.tenant_id, address, traffic),
    listing_file: await localListing(store, listingKey(source, revision), cache_folder),
  };
}

/** Deletes all stored listings of a source. */
export async function deleteListings({ blobs }: Pick<Store, 'blobs'>, of: SourceId): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of blobs.list(`${listingPrefix(of)}/`)) keys.push(key);
  await blobs.delete(keys);
}

const listingPrefix = ({ tenant_id, id }: SourceId): string => `${tenant_id}/${id}/listings`;
const listingKey = (of: SourceId, revision: string): string => `${listingPrefix(of)}/${revision}.json`;

/**
 * Returns the access to an address: the token of the operator only for the tenants that he names, and for datasets, not for
 * other addresses of the hub.
 */
function accessFor(
  { source_access }: WebStore,
  tenant_id: string,
  address: string,
  traffic: Traffic,
): WebRef['access'] {
  const { web, cache_folder, cache_bytes } = source_access;
  const mayUseToken = address.startsWith('hf://') && web.token_tenants.includes(tenant_id);
  return {
    token: mayUseToken ? web.token : null,
    endpoint: web.endpoint,
    plain_http: false,
    networks: web.networks,
    cache_folder,
    cache_bytes,
    traffic: traffic.shared,
  };
}

function stagingFile(cache_folder: string): string {
  try {
    makeFolder(join(cache_folder, 'arriving'), 0o700);
  } catch (thrown) {
    throw blobFolderError(thrown, cache_folder);
  }
  return join(cache_folder, 'arriving', stagingName());
}

/** Age in ms from which a local copy of a listing that nobody opened is deleted. */
const maxListingAge_ms = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the path of a local copy of a stored listing, which is downloaded if needed. Throws if the blob store has none or
 * the folder cannot be written.
 */
async function localListing({ blobs }: WebStore, key: string, cache_folder: string): Promise<string> {
  const folder = join(cache_folder, 'listings');
  const file = join(folder, `${sha256(key)}.json`);
  const now = new Date();
  if (
    await utimes(file, now, now).then(
      () => true,
      () => false,
    )
  )
    return file;
  const staging = stagingFile(cache_folder);
  try {
    const content = await blobs.stream(key);
    makeFolder(folder, 0o700);
    await removeOldFiles(folder, now.getTime() - maxListingAge_ms);
    await pipeline(content, createWriteStream(staging, { flags: 'wx', mode: 0o600 }));
    await rename(staging, file);
  } catch (thrown) {
    throw thrown instanceof AssayError ? thrown : blobFolderError(thrown, cache_folder);
  } finally {
    await rm(staging, { force: true });
  }
  return file;
}

async function removeOldFiles(folder: string, before_ms: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const info = await stat(join(folder, name)).catch(() => null);
    if (info !== null && info.mtimeMs < before_ms) await rm(join(folder, name), { force: true });
  }
}

/**
 * Returns an error of listing as the service reports it; others unchanged. The reason: what the command line advises, such as
 * setting HF_TOKEN, users of a service cannot do.
 */
function inServiceWords(thrown: unknown, address: string): unknown {
  if (!(thrown instanceof AssayError)) return thrown;
  const { code, message, advice } = thrown;
  if (code === 'not_permitted')
    return new AssayError('source_not_allowed', message, {
      advice: address.startsWith('hf://')
        ? 'check owner and name; for a private or gated dataset, the operator must allow its token for this tenant (ASSAY_SOURCE_HUB_TENANTS), or download it and upload the files'
        : 'the service reads public addresses only; download the recordings and upload them',
      cause: thrown,
    });
  if (code === 'not_found' || code === 'not_recognised' || code === 'usage')
    return new AssayError('invalid_request', message, {
      cause: thrown,
      ...(advice === null ? {} : { advice }),
    });
  return thrown;
}
