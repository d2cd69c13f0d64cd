import type { FastifyReply, FastifyRequest } from 'fastify';
import { AssayError, type ErrorCode, errorCodes, messageOf } from '#core';
import type { Problem } from '#core/api';
import { toLogEntry } from './requests/request-log.ts';

/** Content type of problem answers (RFC 9457). */
export const problemType = 'application/problem+json; charset=utf-8';

/** Default `Retry-After` in seconds by status code. */
const retryAfter_s: Readonly<Record<number, number>> = { 429: 1, 503: 5 };

/** Returns the problem body of an error. Internal errors reveal only the request id; `busy` is reported in full. */
export function problemOf(error: AssayError, instance: string, request_id: string): Problem {
  const { status, title } = errorCodes[error.code];
  const reserved = {
    type: `urn:assay:problem:${error.code}`,
    title,
    status,
    instance,
    code: error.code,
    request_id,
  };
  if (status >= 500 && error.code !== 'busy')
    return { ...reserved, detail: `${title}; see the service log for this request id` };
  const advice = error.advice === null ? {} : { advice: error.advice };
  return { ...error.details, ...advice, ...reserved, detail: error.message };
}

/** Sends an error as a problem answer with the headers of its status, logs internal errors, and returns the reply. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asAssayError(thrown);
  const problem = problemOf(error, request.url.split('?', 1)[0], request.id);
  const wait_s = error.details.retry_after_s ?? retryAfter_s[problem.status];
  if (typeof wait_s === 'number') reply.header('retry-after', String(Math.max(1, Math.ceil(wait_s))));
  if (problem.status === 401) reply.header('www-authenticate', authChallenges(request));
  if (problem.status >= 500) request.log.error({ ...toLogEntry(thrown), code: error.code }, 'request failed');
  reply.removeHeader('etag');
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type(problemType)
    .send(JSON.stringify(problem));
}

/** Returns the `WWW-Authenticate` values, one header line per scheme, because browsers do not read a list. */
function authChallenges(request: FastifyRequest): string | string[] {
  const errorParameter = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
  const bearer = `Bearer realm="assay"${errorParameter}`;
  const { page } = request.routeOptions.config?.access ?? {};
  return page ? [bearer, 'Basic realm="assay", charset="UTF-8"'] : bearer;
}

const frameworkErrors: Readonly<Record<string, { readonly code: ErrorCode; readonly advice?: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'payload_too_large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    advice: 'send the body with Content-Type: application/json',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found' },
};

/** Converts anything thrown to an `AssayError` with a known code. */
function asAssayError(thrown: unknown): AssayError {
  // The query builder wraps errors of the database.
  for (let at = thrown; at instanceof Error; at = at.cause) if (at instanceof AssayError) return at;
  if (!isFrameworkError(thrown)) return new AssayError('internal', messageOf(thrown), { cause: thrown });
  const mapped = frameworkErrors[thrown.code] ?? { code: 'bad_request' as const };
  return new AssayError(mapped.code, lowerFirst(thrown.message), {
    cause: thrown,
    ...(mapped.advice === undefined ? {} : { advice: mapped.advice }),
  });
}

function isFrameworkError(thrown: unknown): thrown is Error & { code: string } {
  if (!(thrown instanceof Error && 'code' in thrown && 'statusCode' in thrown)) return false;
  return (
    typeof thrown.code === 'string' && Number(thrown.statusCode) >= 400 && Number(thrown.statusCode) < 500
  );
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
