import { AssayError, messageOf } from '#core';

/** An address as messages may name it: signed addresses carry secrets in their query. */
function namedAddress(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** No answer came, or it broke off, however often it was tried. */
export function noAnswer(url: URL, thrown: unknown): AssayError {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return new AssayError('storage_unavailable', `${url.host} does not answer: ${messageOf(cause)}`, {
    advice: 'check the network and the address; what was fetched is kept, so do it again',
    cause: thrown,
  });
}

/** The file is not what it was: nothing read of it may be used together. */
export function changedWhileRead(path: string): AssayError {
  return new AssayError('storage_unavailable', `${path} changed while it was read`, {
    path,
    advice: 'wait until nobody writes there any more, then do it again',
  });
}

/** An answer that is no success, in words that say what to do. */
export function refused(url: URL, status: number, code: string | null, tokenSent: boolean): AssayError {
  const where = namedAddress(url);
  if (code === 'GatedRepo')
    return denied(
      where,
      'its owner wants to be asked first',
      'ask for access on its page, then set HF_TOKEN',
    );
  if (status === 401 || status === 403) {
    const advice = tokenSent
      ? 'check that the address is right, and that the token is valid and may read it'
      : 'check the address; if it is private, set HF_TOKEN to a token that may read it';
    return denied(where, `the server answered ${status}`, advice);
  }
  if (status === 404 || status === 410) {
    const missing = code === 'RevisionNotFound' ? 'the revision is not there' : 'nothing is there';
    return new AssayError('not_found', `${where}: ${missing}`, { advice: 'check the address' });
  }
  return new AssayError('storage_unavailable', `${where}: the server answered ${status}`, {
    advice:
      status === 429
        ? 'it asks for a pause: try again later'
        : 'try again; if it stays, ask who runs the server',
  });
}

const denied = (where: string, why: string, advice: string): AssayError =>
  new AssayError('not_permitted', `${where} may not be read: ${why}`, { advice });
