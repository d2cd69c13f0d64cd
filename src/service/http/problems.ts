import type { FastifyReply, FastifyRequest } from 'fastify';
import { AssayError, type ErrorCode, errorCodes, messageOf } from '#core';
import type { Problem } from '#core/api';
import { loggable } from './requests/request-log.ts';

export const problemType = 'application/problem+json; charset=utf-8';

/** Statuses that say 'try again', and after how long unless the error knows better. */
const retryAfter_s: Readonly<Record<number, number>> = { 429: 1, 503: 5 };

/** The body for what was thrown. Of a fault of ours it says nothing but the request's id; being busy is none. */
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
    return { ...reserved, detail: `${title}; the log has more under the request's id` };
  const advice = error.advice === null ? {} : { advice: error.advice };
  return { ...error.details, ...advice, ...reserved, detail: error.message };
}

/** Answers with a problem; headers that its code demands come with it. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asAssayError(thrown);
  const problem = problemOf(error, request.url.split('?', 1)[0], request.id);
  const wait_s = error.details.retry_after_s ?? retryAfter_s[problem.status];
  if (typeof wait_s === 'number') reply.header('retry-after', String(Math.max(1, Math.ceil(wait_s))));
  if (problem.status === 401) reply.header('www-authenticate', challengesOf(request));
  if (problem.status >= 500) request.log.error({ ...loggable(thrown), code: error.code }, 'request failed');
  reply.removeHeader('etag');
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type(problemType)
    .send(JSON.stringify(problem));
}

/** One line a scheme: browsers read no list of them. */
function challengesOf(request: FastifyRequest): string | string[] {
  const given = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
  const bearer = `Bearer realm="assay"${given}`;
  const { page } = request.routeOptions.config?.access ?? {};
  return page ? [bearer, 'Basic realm="assay", charset="UTF-8"'] : bearer;
}

const ofFramework: Readonly<Record<string, { readonly code: ErrorCode; readonly advice?: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'payload_too_large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    advice: 'send the body as application/json',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found' },
};

/** Whatever was thrown as one of the closed list of codes. */
function asAssayError(thrown: unknown): AssayError {
  // The query builder wraps what the database threw.
  for (let at = thrown; at instanceof Error; at = at.cause) if (at instanceof AssayError) return at;
  if (!isFrameworkError(thrown)) return new AssayError('internal', messageOf(thrown), { cause: thrown });
  const known = ofFramework[thrown.code] ?? { code: 'bad_request' as const };
  return new AssayError(known.code, lowerFirst(thrown.message), {
    cause: thrown,
    ...(known.advice === undefined ? {} : { advice: known.advice }),
  });
}

function isFrameworkError(thrown: unknown): thrown is Error & { code: string } {
  if (!(thrown instanceof Error && 'code' in thrown && 'statusCode' in thrown)) return false;
  return (
    typeof thrown.code === 'string' && Number(thrown.statusCode) >= 400 && Number(thrown.statusCode) < 500
  );
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
