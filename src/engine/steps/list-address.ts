import { writeFile } from 'node:fs/promises';
import { AssayError, blobFolderError, canonicalJson, type JsonObject, sha256 } from '#core';
import type { RecordingsRef } from '#io/sources';
import { type ListingLimits, listWeb, webAddress } from '#io/sources/web';

/** An address to list, and the local file to write. */
interface AddressListing {
  readonly recordings: string;
  readonly access: Extract<RecordingsRef, { kind: 'web' }>['access'];
  readonly limits: ListingLimits;
  readonly file: string;
}

/** Files of an address in the state in which they were listed. */
export interface ListedAddress {
  /** Commit of a hub dataset, else the SHA-256 of the listing. */
  readonly revision: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Lists the files of an address into a new local file for `readListing`, and returns their revision, number and size.
 * @throws as `listWeb`; `usage` if `recordings` is not an address
 */
export async function listAddress({
  recordings,
  access,
  limits,
  file,
}: AddressListing): Promise<ListedAddress> {
  const address = webAddress(recordings);
  if (address === null) throw new AssayError('usage', `${recordings} is not an address`);
  const { label: _, commit, ...listing } = await listWeb(address, access, limits);
  await writeFile(file, JSON.stringify(listing), { flag: 'wx', mode: 0o600 }).catch((thrown) => {
    throw blobFolderError(thrown, file);
  });
  const entries = listing.entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return {
    revision: commit ?? sha256(canonicalJson({ entries, lone: listing.lone } as unknown as JsonObject)),
    files: entries.length,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
