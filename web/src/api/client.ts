import { AssayApiError, createClient } from '#client';

/** API client of the service that served this page; the session cookie authenticates it. */
export const client = createClient({ address: location.origin, tries: 2 });

/**
 * Returns true if the service could not be reached (or a proxy answered instead), so that the request can be retried.
 */
export const isUnreachable = (thrown: unknown): boolean =>
  thrown instanceof AssayApiError &&
  (thrown.code === 'unreachable' || thrown.code === 'timed_out' || thrown.code === 'unexpected_answer');

/** Returns true if the error means that nobody is signed in or the session has ended. */
export const isSignedOut = (thrown: unknown): boolean =>
  thrown instanceof AssayApiError && thrown.code === 'unauthenticated';
