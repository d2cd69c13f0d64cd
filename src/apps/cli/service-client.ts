import { type AssayApiError, type AssayClient, createClient } from '@assay/client';
import { AssayError } from '#core';

/** Where a service answers, and with what token. */
export interface ServicePlace {
  readonly address: string;
  readonly token: string;
}

/** People wait: a service that is away is told after about a second. */
const tries = 3;

/** A client whose errors are those of the command line. */
export const createServiceClient = ({ address, token }: ServicePlace): AssayClient =>
  createClient({ address, token, tries, map_error: asAssayError });

function asAssayError(error: AssayApiError): AssayError {
  const { code, message, advice, errors, details, request_id } = error;
  if (code === 'unreachable' || code === 'timed_out') {
    return new AssayError('storage_unavailable', message, {
      advice: 'check that `assay serve` runs there',
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
