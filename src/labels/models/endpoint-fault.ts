import { AssayError } from '#core';
import type { VisionEndpoint } from '#core/api';

/** Describes the failure of one call to a vision endpoint, and whether a retry may succeed. */
export class EndpointFault extends Error {
  readonly code: 'rate_limited' | 'endpoint_unavailable' | 'endpoint_failed';
  readonly retryable: boolean;
  /** Wait that the server requests, in ms; `null` if it requests none. */
  readonly retry_after_ms: number | null;

  constructor(
    message: string,
    {
      code,
      retryable,
      retry_after_ms = null,
    }: Pick<EndpointFault, 'code' | 'retryable'> & Partial<Pick<EndpointFault, 'retry_after_ms'>>,
  ) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.retry_after_ms = retry_after_ms;
  }
}

/**
 * Converts anything thrown by a call to an `EndpointFault` with code and `retryable`; returns an `EndpointFault`
 * unchanged. The server's own text is left out, since it may contain keys, pictures or markup.
 */
export function toEndpointFault(thrown: unknown, silence_ms: number): EndpointFault {
  if (thrown instanceof EndpointFault) return thrown;
  const status = httpStatus(thrown);
  const unavailable = {
    code: 'endpoint_unavailable',
    retryable: true,
    retry_after_ms: retryAfter(thrown),
  } as const;
  if (status === 401 || status === 403)
    return new EndpointFault(`rejected the API key (HTTP ${status})`, {
      code: 'endpoint_failed',
      retryable: false,
    });
  if (status === 429)
    return new EndpointFault('is rate limiting requests (HTTP 429)', {
      ...unavailable,
      code: 'rate_limited',
    });
  if (status !== null && status >= 500) return new EndpointFault(`returned HTTP ${status}`, unavailable);
  if (status === 408) return new EndpointFault('timed out (HTTP 408)', unavailable);
  if (status !== null && status >= 400)
    return new EndpointFault(`rejected the request (HTTP ${status})`, {
      code: 'endpoint_failed',
      retryable: false,
    });
  if (errorName(thrown) === 'TimeoutError')
    return new EndpointFault(`sent no data for ${silence_ms / 1000} s`, unavailable);
  if (status !== null || protocolErrorNames.test(errorName(thrown)))
    return new EndpointFault('returned an unreadable response', {
      code: 'endpoint_failed',
      retryable: true,
    });
  return new EndpointFault('is unreachable or closed the connection', unavailable);
}

/** Creates the error that reports a fault after `calls` calls, with the endpoint's address and advice. */
export const endpointError = (
  endpoint: VisionEndpoint,
  { code, message }: EndpointFault,
  calls: number,
): AssayError =>
  new AssayError(
    code,
    `the vision endpoint ${endpointAddress(endpoint)} ${message}${calls > 1 ? `, ${calls} times` : ''}`,
    {
      advice:
        code === 'endpoint_failed'
          ? 'check ASSAY_VLM_URL, ASSAY_VLM_KEY and ASSAY_VLM_MODEL, and that the model accepts images'
          : 'it is retried automatically; check that the server is running and not overloaded',
    },
  );

/** Names of client library errors for answers that violate the protocol. */
const protocolErrorNames = /JSONParse|TypeValidation|InvalidResponse|EmptyResponse/;
const errorName = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '');

function httpStatus(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  return 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : null;
}

/** Reads the `retry-after` header (seconds or HTTP date), in ms; `null` without a valid one. */
function retryAfter(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null || !('responseHeaders' in thrown)) return null;
  const headers = thrown.responseHeaders as Readonly<Record<string, string>> | undefined;
  const header = headers?.['retry-after'];
  if (header === undefined) return null;
  const seconds = Number(header);
  const wait_ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait_ms) ? Math.max(0, wait_ms) : null;
}

/** Returns the endpoint's address for the audit log: origin and path, without query or credentials. */
export function endpointAddress({ url }: Pick<VisionEndpoint, 'url'>): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
