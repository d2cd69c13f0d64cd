import { AssayApiError, createClient } from '@assay/client';

/** The service that this page came from; the browser's cookie says who asks. */
export const client = createClient({ address: location.origin, tries: 2 });

/** The service did not answer, or a proxy answered for it: whatever was asked may be asked again. */
export const isAway = (thrown: unknown): boolean =>
  thrown instanceof AssayApiError &&
  (thrown.code === 'unreachable' || thrown.code === 'timed_out' || thrown.code === 'unexpected_answer');

/** Nobody is signed in, or not any more. */
export const isSignedOut = (thrown: unknown): boolean =>
  thrown instanceof AssayApiError && thrown.code === 'unauthenticated';
