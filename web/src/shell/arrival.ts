import { AssayApiError } from '@assay/client';

/** A sign-in link that the page was opened with. */
export interface Arrival {
  /** Its token, once. */
  take(): string | null;
  /** Whether an error is the service's refusal of it. */
  failed(error: unknown): boolean;
}

/**
 * Takes the token out of the address before anything else sees the address; going back in the history does not find it. The
 * fragment of an address is never sent.
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
