import { AssayError, messageOf } from '#core';

/** What is being downloaded: from where, and where a person could put it instead. */
export interface Errand {
  readonly url: string;
  /** Its place once it is whole. */
  readonly place: string;
}

const byHand = ({ url, place }: Errand): string =>
  `get ${url} another way and put it in as ${place}, or name a mirror of the hub with ASSAY_MODEL_HUB`;

/** The hub did not answer at all, or not with the file. */
export function notServed(errand: Errand, why: string, cause?: unknown): AssayError {
  return new AssayError('unreadable_input', `${errand.url} cannot be downloaded: ${why}`, {
    path: errand.place,
    advice: byHand(errand),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** `fetch failed` says nothing; what caused it does. */
export function unreachable(errand: Errand, thrown: unknown): AssayError {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return notServed(errand, `the hub cannot be reached (${messageOf(cause) || 'no answer'})`, thrown);
}

export function refused(errand: Errand, status: number): AssayError {
  const meaning: Record<number, string> = {
    401: ', which is what a hub says of a repository that is not there or asks for a licence to be accepted',
    403: ', it may not be had without an account',
    404: ', there is no such file',
    429: ', too much was asked of it; try again later',
  };
  return notServed(errand, `the hub answers ${status}${meaning[status] ?? ''}`);
}

export function cutShort(errand: Errand, bytes: number, expected: number | null): AssayError {
  const of = expected === null ? '' : ` of ${expected}`;
  return new AssayError(
    'unreadable_input',
    `the download of ${errand.url} was cut after ${bytes}${of} bytes, again and again`,
    { path: errand.place, advice: 'what came is kept: pull again to go on from there' },
  );
}

/** What the file system threw while a download was written. */
export function unwritable({ place }: Errand, thrown: unknown): AssayError {
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

export function noRoom({ place }: Errand, needed: number, free: number): AssayError {
  return new AssayError('output_unwritable', `${place} needs ${needed} bytes, ${free} are free on its disk`, {
    path: place,
    advice: 'make room there and pull again',
  });
}
