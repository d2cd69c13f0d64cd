import { createHash, type Hash } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { AssayError, messageOf } from '#core';
import type { Pin } from '../surface.ts';
import { hashFile, hashInto } from './hash-file.ts';

/** A file to download. */
export interface Download extends DownloadTarget {
  /** Path of the complete download until it is moved to its target; a partial download is kept beside it. */
  readonly staging_path: string;
  /** Size beyond which reading stops; `null` if unknown. */
  readonly max_bytes: number | null;
  readonly signal: AbortSignal;
  onBytes(bytes: number, total: number | null): void;
}

/** Hash and size of a file. */
export type FileDigest = Pin & { readonly bytes: number };

const maxAttempts = 3;

/**
 * Downloads a file to its staging path, resuming an interrupted download, unless it is already there, and returns its
 * hash and size, which are not compared with a pin. A later call resumes too, if the hub still has the same file.
 *
 * @throws `unreadable_input` if it cannot be downloaded, `output_unwritable` if it cannot be written, `cancelled` if
 * the signal is aborted.
 */
export async function download(request: Download): Promise<FileDigest> {
  if ((await fileSize(request.staging_path)) !== null) return hashFile(request.staging_path, request.signal);
  await mkdir(dirname(request.staging_path), { recursive: true, mode: 0o700 });
  let last: PartialDownload = { bytes: 0, total: null };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const result = await fetchRemaining(request);
    if ('sha256' in result) return result;
    last = result;
  }
  throw cutShortError(request, last.bytes, last.total);
}

/** State of an interrupted download. */
interface PartialDownload {
  readonly bytes: number;
  readonly total: number | null;
}

async function fetchRemaining(request: Download): Promise<FileDigest | PartialDownload> {
  const part = `${request.staging_path}.part`;
  const etag = await readFile(`${part}.etag`, 'utf8').catch(() => null);
  const existing = etag === null ? 0 : ((await fileSize(part)) ?? 0);
  const answer = await requestFile(request, etag, existing);
  const offset = answer.status === 206 ? existing : 0;
  const digest = createHash('sha256');
  try {
    if (offset > 0) await hashInto(digest, part, request.signal);
    await saveEtag(part, answer.headers.get('etag'));
    await using file = await open(part, offset > 0 ? 'a' : 'w', 0o600);
    return await receive(request, answer, { file, digest, offset, part });
  } catch (thrown) {
    throw request.signal.aborted && !(thrown instanceof AssayError)
      ? cancelledError(request)
      : toDownloadError(request, thrown);
  }
}

/** Requests the missing bytes; the whole file if the hub's file has changed. */
async function requestFile(request: Download, etag: string | null, existing: number): Promise<Response> {
  const rangeHeaders =
    etag === null || existing === 0 ? {} : { range: `bytes=${existing}-`, 'if-range': etag };
  const answer = await fetch(request.url, {
    // Uncompressed, so that length and range refer to the file's bytes.
    headers: { 'accept-encoding': 'identity', ...rangeHeaders },
    signal: request.signal,
  }).catch((thrown) => {
    throw request.signal.aborted ? cancelledError(request) : unreachableError(request, thrown);
  });
  const continuesAt = answer.headers.get('content-range')?.startsWith(`bytes ${existing}-`) === true;
  if (answer.status === 200 || (answer.status === 206 && existing > 0 && continuesAt)) return answer;
  await answer.body?.cancel();
  // The range does not match: the partial file is of another version, or too long.
  if (existing > 0 && (answer.status === 416 || answer.status === 206)) return requestFile(request, null, 0);
  throw refusedError(request, answer.status);
}

interface ResumedFile {
  readonly file: FileHandle;
  readonly digest: Hash;
  /** Bytes already present. */
  readonly offset: number;
  readonly part: string;
}

async function receive(
  request: Download,
  answer: Response,
  { file, digest, offset, part }: ResumedFile,
): Promise<FileDigest | PartialDownload> {
  const length = answer.headers.get('content-length');
  const total = length === null ? null : offset + Number(length);
  await requireSpace(request, total === null ? 0 : total - offset);
  let bytes = offset;
  const body = (answer.body ?? new ReadableStream<Uint8Array>())[Symbol.asyncIterator]();
  for (;;) {
    request.onBytes(bytes, total);
    const next = await body.next().catch((thrown) => {
      if (request.signal.aborted) throw thrown;
      return null;
    });
    if (next === null) return { bytes, total };
    if (next.done === true) break;
    await file.writeFile(next.value);
    digest.update(next.value);
    bytes += next.value.length;
    if (exceedsLimit(request, bytes)) break;
  }
  if (total !== null && bytes < total && !exceedsLimit(request, bytes)) return { bytes, total };
  await body.return?.();
  await file.sync();
  await rename(part, request.staging_path);
  await rm(`${part}.etag`, { force: true });
  return { sha256: digest.digest('hex'), bytes };
}

const exceedsLimit = ({ max_bytes }: Download, bytes: number): boolean =>
  max_bytes !== null && bytes > max_bytes;

/** Saves a strong ETag to resume by; a weak one does not guarantee identical bytes. */
async function saveEtag(part: string, tag: string | null): Promise<void> {
  if (tag?.startsWith('"') === true) await writeFile(`${part}.etag`, tag, { mode: 0o600 });
  else await rm(`${part}.etag`, { force: true });
}

async function requireSpace(request: Download, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(request.staging_path));
  if (needed > bavail * bsize) throw noSpaceError(request, needed, bavail * bsize);
}

async function fileSize(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? found.size : null;
}

const cancelledError = ({ target }: DownloadTarget): AssayError =>
  new AssayError('cancelled', 'the download was stopped', {
    path: target,
    advice: 'the partial download is kept: pull again to resume',
  });

function toDownloadError(request: Download, thrown: unknown): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const isSystemError = thrown instanceof Error && 'code' in thrown && 'syscall' in thrown;
  return isSystemError ? unwritableError(request, thrown) : notServedError(request, String(thrown), thrown);
}

/** Source of a download, and its target path for manual installation. */
interface DownloadTarget {
  readonly url: string;
  /** Target path. */
  readonly target: string;
}

const manualAdvice = ({ url, target }: DownloadTarget): string =>
  `download ${url} manually to ${target}, or set a mirror of the hub with ASSAY_MODEL_HUB`;

/** Builds the error for a hub that does not answer with the file. */
function notServedError(source: DownloadTarget, why: string, cause?: unknown): AssayError {
  return new AssayError('unreadable_input', `cannot download ${source.url}: ${why}`, {
    path: source.target,
    advice: manualAdvice(source),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Builds the error for an unreachable hub from the cause, since `fetch failed` says nothing. */
function unreachableError(source: DownloadTarget, thrown: unknown): AssayError {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return notServedError(source, `the hub is unreachable (${messageOf(cause) || 'no response'})`, thrown);
}

function refusedError(source: DownloadTarget, status: number): AssayError {
  const meaning: Record<number, string> = {
    401: ': the repository does not exist, or requires accepting a licence',
    403: ': an account is required',
    404: ': file not found',
    429: ': rate limit exceeded, try again later',
  };
  return notServedError(source, `the hub returned HTTP ${status}${meaning[status] ?? ''}`);
}

function cutShortError(source: DownloadTarget, bytes: number, expected: number | null): AssayError {
  const of = expected === null ? '' : ` of ${expected}`;
  return new AssayError(
    'unreadable_input',
    `the download of ${source.url} was repeatedly interrupted, after ${bytes}${of} bytes`,
    { path: source.target, advice: 'the partial download is kept: pull again to resume' },
  );
}

/** Builds the error for a failed write. */
function unwritableError({ target }: DownloadTarget, thrown: unknown): AssayError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  const isDiskFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new AssayError('output_unwritable', `${target} cannot be written: ${messageOf(thrown)}`, {
    path: target,
    advice: isDiskFull
      ? 'free some disk space and pull again: the download resumes'
      : 'check the write permission of this user',
    cause: thrown,
  });
}

function noSpaceError({ target }: DownloadTarget, needed: number, free: number): AssayError {
  return new AssayError(
    'output_unwritable',
    `not enough disk space for ${target}: ${needed} bytes needed, ${free} bytes free`,
    {
      path: target,
      advice: 'free some disk space and pull again',
    },
  );
}
