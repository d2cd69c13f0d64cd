import { type AssayApiError, type AssayClient, createClient } from '#client';
import { AssayError } from '#core';

/** Base URL of a service and a token for it. */
export interface ServiceEndpoint {
  readonly address: string;
  readonly token: string;
}

/** Attempts for each request; an unreachable service is reported after about a second. */
const tries = 3;

/** Creates an API client that throws `AssayError`. */
export const createServiceClient = ({ address, token }: ServiceEndpoint): AssayClient =>
  createClient({ address, token, tries, map_error: asAssayError });

function asAssayError(error: AssayApiError): AssayError {
  const { code, message, advice, errors, details, request_id } = error;
  if (code === 'unreachable' || code === 'timed_out') {
    return new AssayError('storage_unavailable', message, {
      advice: 'check that `assay serve` is running there',
      cause: error,
    });
  }
  // Not the service's own words: a proxy's, which cannot reach it where it says 502 to 504.
  if (code === 'unexpected_answer') {
    const isAway = error.status !== null && error.status >= 502 && error.status <= 504;
    return new AssayError(isAway ? 'storage_unavailable' : 'internal', message);
  }
  const places = errors.map(({ pointer, message: wrong }) =>
    wrong === message ? pointer : `${pointer}: ${wrong}`,
  );
  return new AssayError(code, places.length === 0 ? message : `${message} (${places.join('; ')})`, {
    ...(advice === null ? {} : { advice }),
    details: { ...details, request_id },
  });
}
