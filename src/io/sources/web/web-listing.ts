import { readFile } from 'node:fs/promises';
import { asUnreadable } from '#core';
import type { RemoteEntry } from '../remote/remote-objects.ts';

/** A file as it was when the place was listed; every thread reads this state or says that it changed. */
export interface WebEntry extends RemoteEntry {
  /** In hexadecimal, where the hub knows it. */
  readonly sha256: string | null;
}

/** What was listed, as it is written for the threads. */
export interface WebListing {
  readonly entries: readonly WebEntry[];
  /** The place is this one file. */
  readonly lone: string | null;
}

export async function readListing(path: string): Promise<WebListing> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (thrown) {
    throw asUnreadable(thrown, path);
  }
}

/** Quotes and weakness say nothing of the state. */
export function plainEtag(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '');
}

/** The state of a file as an answer tells it: by its tag, else by when it was written. */
export function stateOf(headers: Headers): string | null {
  const etag = headers.get('etag');
  return etag === null ? headers.get('last-modified') : plainEtag(etag);
}

/** A path as part of an address. */
export function addressOf(base: URL, path: string): URL {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), base);
}
