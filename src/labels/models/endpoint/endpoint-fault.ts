import { AssayError } from '#core';
import type { VisionEndpoint } from '#core/api';
import { endpointAddress } from './endpoint-address.ts';

/** Why a call brought nothing, and whether another one may. */
export class EndpointFault extends Error {
  readonly code: 'rate_limited' | 'endpoint_unavailable' | 'endpoint_failed';
  readonly passes: boolean;
  /** As the server asks; null: it does not say. */
  readonly retry_after_ms: number | null;

  constructor(
    message: string,
    {
      code,
      passes,
      retry_after_ms = null,
    }: Pick<EndpointFault, 'code' | 'passes'> & Partial<Pick<EndpointFault, 'retry_after_ms'>>,
  ) {
    super(message);
    this.code = code;
    this.passes = passes;
    this.retry_after_ms = retry_after_ms;
  }
}

/** What a call threw, without what the server wrote: that may hold keys, pictures or markup. */
export function faultOf(thrown: unknown, silence_ms: number): EndpointFault {
  if (thrown instanceof EndpointFault) return thrown;
  const status = statusOf(thrown);
  const away = { code: 'endpoint_unavailable', passes: true, retry_after_ms: retryAfter(thrown) } as const;
  if (status === 401 || status === 403)
    return new EndpointFault(`refuses the key (${status})`, { code: 'endpoint_failed', passes: false });
  if (status === 429)
    return new EndpointFault('has too many requests (429)', { ...away, code: 'rate_limited' });
  if (status !== null && status >= 500) return new EndpointFault(`answered ${status}`, away);
  if (status === 408) return new EndpointFault('gave up on the request (408)', away);
  if (status !== null && status >= 400)
    return new EndpointFault(`refuses the request (${status})`, { code: 'endpoint_failed', passes: false });
  if (nameOf(thrown) === 'TimeoutError')
    return new EndpointFault(`said nothing for ${silence_ms / 1000} s`, away);
  if (status !== null || unreadable.test(nameOf(thrown)))
    return new EndpointFault('gave an answer that cannot be read', { code: 'endpoint_failed', passes: true });
  return new EndpointFault('cannot be reached, or broke off', away);
}

/** As whoever asked hears of it, after `calls` calls. */
export const failedBy = (
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
          ? 'look whether ASSAY_VLM_URL, ASSAY_VLM_KEY and ASSAY_VLM_MODEL are those of the server, and whether its model takes pictures'
          : 'it is tried again; look whether the server runs and how much it has to do',
    },
  );

/** Names of errors of the library where an answer is not what the protocol says. */
const unreadable = /JSONParse|TypeValidation|InvalidResponse|EmptyResponse/;
const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '');

function statusOf(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  return 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : null;
}

/** Seconds or a date, as HTTP has it. */
function retryAfter(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null || !('responseHeaders' in thrown)) return null;
  const headers = thrown.responseHeaders as Readonly<Record<string, string>> | undefined;
  const said = headers?.['retry-after'];
  if (said === undefined) return null;
  const seconds = Number(said);
  const wait_ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(said) - Date.now();
  return Number.isFinite(wait_ms) ? Math.max(0, wait_ms) : null;
}
