import { AssayError } from '#core';
import type { Answer, MediaRequest } from './protocol.ts';

/** A request on its way through a child. */
export interface MediaTask {
  readonly message: MediaRequest;
  /** Main file, so that requests on one file meet the child that has it open. */
  readonly file: string;
  /** Children that ended over it. */
  deaths: number;
  readonly answer: (answer: Answer) => void;
  /** The decoder's own code failed over the file, as it will again. */
  readonly fault: (reason: string) => void;
  /** No decoder came to an answer. */
  readonly fail: (why: AssayError) => void;
}

/** Said to whoever still waits. */
export const stopped = (): AssayError => new AssayError('cancelled', 'decoding was stopped');

/** What is known then: nothing of the file. */
export function unfinished({ message: { request } }: MediaTask, why: string): AssayError {
  const path = pathOf(request);
  if (/^(EACCES|EPERM):/.test(why) && path !== null)
    return new AssayError('unfinished', `${path} may not be read by this user`, {
      path,
      advice: 'ask for permission to read it (chmod a+r), then run the command again',
    });
  return new AssayError('unfinished', `the pictures could not be decoded here: ${why}`, {
    ...(path === null ? {} : { path }),
    advice:
      'assess it again, where the machine has more memory or less to do; where this comes again at the same file, ' +
      'take that file out and report it',
  });
}

function pathOf({ frames: { locator } }: MediaRequest['request']): string | null {
  if (locator.type === 'image-files') return locator.paths[0] ?? null;
  return 'path' in locator ? locator.path : null;
}

/** The file that a request is about; empty where it is about several. */
export function mainFile(request: MediaRequest['request']): string {
  const { locator } = request.frames;
  return 'path' in locator ? `${request.root}/${locator.path}` : '';
}
