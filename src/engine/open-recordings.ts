import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#core';
import type { RecordingsRef, RecordingsSource } from '#io/sources';

/** Recordings to read: a path, or a reference to a service's source. Plain data; may be sent between threads. */
export type Recordings = string | RecordingsRef;

/**
 * Returns recordings as readers take them: a local path as it is, remote ones with an open connection; call `closeRecordings`
 * afterwards.
 * @throws `storage_unavailable`
 */
export async function openRecordings(recordings: Recordings): Promise<RecordingsSource> {
  if (typeof recordings === 'string') return recordings;
  if (recordings.kind === 'folder') return recordings.path;
  if (recordings.kind === 'web') {
    const { openWebRecordings } = await import('#io/sources/web');
    return openWebRecordings(recordings);
  }
  // The S3 client is loaded on demand, so that commands on folders start faster.
  const { openS3Recordings } = await import('#io/sources/s3');
  return openS3Recordings(recordings);
}

/** Closes the connection of a remote source; does nothing for a path. Datasets that were opened from it stay open. */
export async function closeRecordings(source: RecordingsSource): Promise<void> {
  if (typeof source !== 'string') await source.close();
}

/** Settings for recordings behind a URL, from the environment and the command line. */
export interface WebSettings {
  readonly token: string | null;
  /** Base URL of the hub, without a trailing slash. */
  readonly endpoint: string;
  readonly plain_http: boolean;
  readonly cache_folder: string;
  readonly cache_bytes: number;
}

/** Network traffic so far, in bytes. */
export interface WebTraffic {
  readonly fetched_bytes: number;
  readonly cached_bytes: number;
  readonly listed_bytes: number;
  readonly requests: number;
}

/** Recordings that were found behind a path or URL; `close` removes temporary data. */
export interface LocatedRecordings {
  readonly recordings: Recordings;
  /** The requested name, with the resolved revision. */
  readonly label: string;
  /** `null` for local recordings. */
  readonly traffic: WebTraffic | null;
  close(): Promise<void>;
}

/**
 * Resolves a path, `hf://OWNER/NAME[@REVISION][/FOLDER]` or `https://host/folder`: a local path is returned unchecked, a
 * remote folder is listed in its current state.
 * @throws `usage`, `not_found`, `not_permitted`, `storage_unavailable`
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
  const access = { ...(await settings()), networks: null, traffic: traffic.shared };
  clearCache(access.cache_folder);
  const ref = await locateWeb(address, access);
  return {
    recordings: ref,
    label: ref.label,
    traffic,
    close: () => rm(dirname(ref.listing_file), { recursive: true, force: true }),
  };
}

/** Files of one dataset of a source. */
export interface DatasetFiles {
  /** Folder of the dataset relative to its source; '' or '.' for the source itself. */
  readonly dataset_path: string;
  readonly files: readonly RequestedFile[];
}

interface RequestedFile {
  /** Relative to the dataset. */
  readonly path: string;
  /** Size when the episode was evaluated; not checked if absent. */
  readonly bytes?: number | undefined;
}

/**
 * Runs `work` with the folder below which the given files can be opened by name, and returns its result; files in a bucket are
 * downloaded for that. Files in a bucket are downloaded for that. Throws `not_found` for a missing file, `conflict` if a size
 * has changed since the evaluation.
 */
export async function withFiles<T>(
  recordings: RecordingsRef,
  { dataset_path, files }: DatasetFiles,
  work: (root: string) => Promise<T>,
): Promise<T> {
  const folder = dataset_path === '.' ? '' : dataset_path;
  const opened = await openRecordings(recordings);
  if (typeof opened === 'string')
    return checkAndRun(join(await containingFolder(opened), folder), files, work);
  try {
    const local = await opened.acquire(files.map(({ path }) => (folder === '' ? path : `${folder}/${path}`)));
    try {
      return await checkAndRun(join(opened.root, folder), files, work);
    } finally {
      await local.release();
    }
  } finally {
    await closeRecordings(opened);
  }
}

async function checkAndRun<T>(
  root: string,
  files: readonly RequestedFile[],
  work: (root: string) => Promise<T>,
): Promise<T> {
  for (const { path, bytes } of files) await requireSize(join(root, path), path, bytes);
  return work(root);
}

async function requireSize(file: string, path: string, bytes: number | undefined): Promise<void> {
  const info = await stat(file).catch(() => null);
  if (info === null) throw recordingNotFound(`${path} is no longer in the source`);
  if (bytes === undefined || info.size === bytes) return;
  throw new AssayError(
    'conflict',
    `${path} has changed since the assessment: ${info.size} bytes instead of ${bytes}`,
    {
      advice: 'start a new run of the source',
    },
  );
}

/** Returns the error `not_found` for a recording that is missing from its source. */
export const recordingNotFound = (message: string): AssayError =>
  new AssayError('not_found', message, { advice: 'restore the recordings at their original location' });

/** Returns the base folder: the folder that contains a single file, else the path itself. */
async function containingFolder(path: string): Promise<string> {
  const info = await stat(path).catch(() => null);
  return info?.isFile() === true ? dirname(path) : path;
}
