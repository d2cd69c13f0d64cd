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
import { feed, hashFile } from './hash-file.ts';

export interface Download extends Errand {
  /** Where it is kept until somebody moves it to its place; beside it what has come so far. */
  readonly staged: string;
  /** Reading stops where more comes; null: nobody knows how much it is. */
  readonly most_bytes: number | null;
  readonly signal: AbortSignal;
  onBytes(bytes: number, total: number | null): void;
}

/** What came. */
export type Came = Pin & { readonly bytes: number };

const attempts = 3;

/**
 * Downloads a file and says what it is; whether it is what was wanted is for others to judge. What was cut is gone on
 * with, by a later call too, where the hub still has the same file. Throws `unreadable_input` where it cannot be had,
 * `output_unwritable` where it cannot be kept, `cancelled`.
 */
export async function download(wanted: Download): Promise<Came> {
  if ((await sizeOf(wanted.staged)) !== null) return hashFile(wanted.staged, wanted.signal);
  await mkdir(dirname(wanted.staged), { recursive: true, mode: 0o700 });
  let last: Part = { bytes: 0, total: null };
  for (let attempt = 0; attempt < attempts; attempt++) {
    const came = await fetchRest(wanted);
    if ('sha256' in came) return came;
    last = came;
  }
  throw cutShort(wanted, last.bytes, last.total);
}

/** What has come of a file that was cut. */
interface Part {
  readonly bytes: number;
  readonly total: number | null;
}

async function fetchRest(wanted: Download): Promise<Came | Part> {
  const part = `${wanted.staged}.part`;
  const etag = await readFile(`${part}.etag`, 'utf8').catch(() => null);
  const there = etag === null ? 0 : ((await sizeOf(part)) ?? 0);
  const answer = await ask(wanted, etag, there);
  const begins = answer.status === 206 ? there : 0;
  const digest = createHash('sha256');
  try {
    if (begins > 0) await feed(digest, part, wanted.signal);
    await keepTag(part, answer.headers.get('etag'));
    await using file = await open(part, begins > 0 ? 'a' : 'w', 0o600);
    return await receive(wanted, answer, { file, digest, begins, part });
  } catch (thrown) {
    throw wanted.signal.aborted && !(thrown instanceof AssayError)
      ? cancelled(wanted)
      : asFault(wanted, thrown);
  }
}

/** Asks for what is missing; where the hub's file is another by now, for all of it. */
async function ask(wanted: Download, etag: string | null, there: number): Promise<Response> {
  const rest = etag === null || there === 0 ? {} : { range: `bytes=${there}-`, 'if-range': etag };
  const answer = await fetch(wanted.url, {
    // As it is: a length and a range are of the file's own bytes.
    headers: { 'accept-encoding': 'identity', ...rest },
    signal: wanted.signal,
  }).catch((thrown) => {
    throw wanted.signal.aborted ? cancelled(wanted) : unreachable(wanted, thrown);
  });
  const goesOn = answer.headers.get('content-range')?.startsWith(`bytes ${there}-`) === true;
  if (answer.status === 200 || (answer.status === 206 && there > 0 && goesOn)) return answer;
  await answer.body?.cancel();
  // It has no such rest: what is here is of another file, or too much.
  if (there > 0 && (answer.status === 416 || answer.status === 206)) return ask(wanted, null, 0);
  throw refused(wanted, answer.status);
}

interface Growing {
  readonly file: FileHandle;
  readonly digest: Hash;
  /** Bytes that were there before. */
  readonly begins: number;
  readonly part: string;
}

async function receive(
  wanted: Download,
  answer: Response,
  { file, digest, begins, part }: Growing,
): Promise<Came | Part> {
  const length = answer.headers.get('content-length');
  const total = length === null ? null : begins + Number(length);
  await demandRoom(wanted, total === null ? 0 : total - begins);
  let bytes = begins;
  const body = (answer.body ?? new ReadableStream<Uint8Array>())[Symbol.asyncIterator]();
  for (;;) {
    wanted.onBytes(bytes, total);
    const next = await body.next().catch((thrown) => {
      if (wanted.signal.aborted) throw thrown;
      return null;
    });
    if (next === null) return { bytes, total };
    if (next.done === true) break;
    await file.writeFile(next.value);
    digest.update(next.value);
    bytes += next.value.length;
    if (tooMuch(wanted, bytes)) break;
  }
  if (total !== null && bytes < total && !tooMuch(wanted, bytes)) return { bytes, total };
  await body.return?.();
  await file.sync();
  await rename(part, wanted.staged);
  await rm(`${part}.etag`, { force: true });
  return { sha256: digest.digest('hex'), bytes };
}

const tooMuch = ({ most_bytes }: Download, bytes: number): boolean =>
  most_bytes !== null && bytes > most_bytes;

/** A weak tag does not promise the same bytes, so nothing is gone on with by it. */
async function keepTag(part: string, tag: string | null): Promise<void> {
  if (tag?.startsWith('"') === true) await writeFile(`${part}.etag`, tag, { mode: 0o600 });
  else await rm(`${part}.etag`, { force: true });
}

async function demandRoom(wanted: Download, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(wanted.staged));
  if (needed > bavail * bsize) throw noRoom(wanted, needed, bavail * bsize);
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? found.size : null;
}

const cancelled = ({ place }: Errand): AssayError =>
  new AssayError('cancelled', 'the download was stopped', {
    path: place,
    advice: 'what came is kept: pull again to go on from there',
  });

function asFault(wanted: Download, thrown: unknown): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const system = thrown instanceof Error && 'code' in thrown && 'syscall' in thrown;
  return system ? unwritable(wanted, thrown) : notServed(wanted, String(thrown), thrown);
}

/** What is being downloaded: from where, and where a person could put it instead. */
interface Errand {
  readonly url: string;
  /** Its place once it is whole. */
  readonly place: string;
}

const byHand = ({ url, place }: Errand): string =>
  `get ${url} another way and put it in as ${place}, or name a mirror of the hub with ASSAY_MODEL_HUB`;

/** The hub did not answer at all, or not with the file. */
function notServed(errand: Errand, why: string, cause?: unknown): AssayError {
  return new AssayError('unreadable_input', `${errand.url} cannot be downloaded: ${why}`, {
    path: errand.place,
    advice: byHand(errand),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** `fetch failed` says nothing; what caused it does. */
function unreachable(errand: Errand, thrown: unknown): AssayError {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return notServed(errand, `the hub cannot be reached (${messageOf(cause) || 'no answer'})`, thrown);
}

function refused(errand: Errand, status: number): AssayError {
  const meaning: Record<number, string> = {
    401: ', which is what a hub says of a repository that is not there or asks for a licence to be accepted',
    403: ', it may not be had without an account',
    404: ', there is no such file',
    429: ', too much was asked of it; try again later',
  };
  return notServed(errand, `the hub answers ${status}${meaning[status] ?? ''}`);
}

function cutShort(errand: Errand, bytes: number, expected: number | null): AssayError {
  const of = expected === null ? '' : ` of ${expected}`;
  return new AssayError(
    'unreadable_input',
    `the download of ${errand.url} was cut after ${bytes}${of} bytes, again and again`,
    { path: errand.place, advice: 'what came is kept: pull again to go on from there' },
  );
}

/** What the file system threw while a download was written. */
function unwritable({ place }: Errand, thrown: unknown): AssayError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new AssayError('output_unwritable', `${place} cannot be written: ${messageOf(thrown)}`, {
    path: place,
    advice: full
      ? 'make room there and pull again: it goes on where it stopped'
      : 'check that this user may write there',
    cause: thrown,
  });
}

function noRoom({ place }: Errand, needed: number, free: number): AssayError {
  return new AssayError('output_unwritable', `${place} needs ${needed} bytes, ${free} are free on its disk`, {
    path: place,
    advice: 'make room there and pull again',
  });
}
