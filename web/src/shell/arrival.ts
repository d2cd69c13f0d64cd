import { AssayApiError } from '#client';

/** Sign-in link that the page was opened with. */
export interface Arrival {
  /** Returns its token on the first call, then null. */
  take(): string | null;
  /** Returns true if the page was opened with a link and the error says that its token is not valid. */
  failed(error: unknown): boolean;
}

/**
 * Removes the sign-in token from the URL before other code reads it, so that it is not in the history. URL fragments
 * are never sent to servers.
 */
export function takeArrival(): Arrival {
  let token = new URLSearchParams(location.hash.slice(1)).get('sign-in');
  const came = token !== null;
  if (came) history.replaceState(history.state, '', location.pathname + location.search);
  return {
    take: () => {
      const taken = token;
      token = null;
      return taken;
    },
    failed: (error) =>
      came &&
      error instanceof AssayApiError &&
      (error.code === 'not_found' || error.code === 'invalid_request'),
  };
}
