import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '#core';

/** Below the cache's folder, beside what others may keep there. */
export const entriesFolder = 'measured';
/** What names of files begin with that are being written. */
export const writing = '.writing-';

export const cacheBytes = limits.storage.measured_cache_bytes.value;
const mostEntries = limits.storage.measured_cache_entries.value;
/** So much is left of what may lie there, so that the next sweep is not due at once. */
const sweptTo = 0.9;
/** A file that was being written so long ago belongs to a process that is gone. */
const abandoned_ms = 3600_000;

export interface CacheSize {
  readonly entries: number;
  readonly bytes: number;
}

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly used_ms: number;
}

/** How much is kept. */
export async function cacheSize(folder: string): Promise<CacheSize> {
  const entries = await entriesOf(folder);
  return { entries: entries.length, bytes: bytesOf(entries) };
}

/** Takes out the entries that were not used for longest, where more lies there than may. */
export async function sweep(
  folder: string,
  most: CacheSize = { bytes: cacheBytes, entries: mostEntries },
): Promise<void> {
  const entries = await entriesOf(folder);
  let bytes = bytesOf(entries);
  let left = entries.length;
  if (bytes <= most.bytes && left <= most.entries) return;
  entries.sort((a, b) => a.used_ms - b.used_ms);
  for (const entry of entries) {
    if (bytes <= sweptTo * most.bytes && left <= sweptTo * most.entries) return;
    await rm(entry.path, { force: true });
    bytes -= entry.bytes;
    left--;
  }
}

/** Forgets everything that was kept; gives how much that was. */
export async function clearCache(folder: string): Promise<CacheSize> {
  const size = await cacheSize(folder);
  await rm(join(folder, entriesFolder), { recursive: true, force: true });
  return size;
}

const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0);

async function entriesOf(folder: string): Promise<Entry[]> {
  const all: Entry[] = [];
  const top = join(folder, entriesFolder);
  for (const name of await names(top)) {
    if (name.startsWith(writing)) await removeAbandoned(join(top, name));
    else for (const own of await names(join(top, name))) all.push(...(await entryAt(join(top, name, own))));
  }
  return all;
}

async function entryAt(path: string): Promise<Entry[]> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() === true ? [{ path, bytes: stats.size, used_ms: stats.mtimeMs }] : [];
}

async function removeAbandoned(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats !== null && Date.now() - stats.mtimeMs > abandoned_ms) await rm(path, { force: true });
}

/** Sorted; none where there is no such folder. */
async function names(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}
