import { type ErrorCode, errorCodes, type JsonObject } from '#core';
import type { Operation } from './operation.ts';

/** Returns the error codes that an operation can answer with: its own, and those common to operations of its kind. */
export function errorCodesOf(operation: Operation): readonly ErrorCode[] {
  const { role, method, params, idempotent, unmetered, errors = [] } = operation;
  const codes: (ErrorCode | false)[] = [
    ...errors,
    'bad_request',
    'invalid_request',
    'internal',
    'database_unavailable',
    'storage_unavailable',
    role !== 'public' && 'unauthenticated',
    role !== 'public' && role !== 'viewer' && 'forbidden',
    params !== undefined && 'not_found',
    method !== 'GET' && 'payload_too_large',
    method !== 'GET' && 'unsupported_media_type',
    idempotent === true && 'idempotency_conflict',
    unmetered !== true && 'rate_limited',
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

/**
 * Returns an operation's error responses by HTTP status, as references to the shared responses, which are named by
 * their error codes joined with `.`.
 */
export function errorResponses(operation: Operation): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    codesByStatus(operation).map(([status, codes]) => [
      String(status),
      { $ref: `#/components/responses/${codes.join('.')}` },
    ]),
  );
}

/**
 * Builds the OpenAPI error responses of all operations by name (their error codes joined with `.`), each once and
 * sorted by name.
 */
export function sharedResponses(operations: readonly Operation[]): JsonObject {
  const all = operations
    .flatMap(codesByStatus)
    .map(([status, codes]): [string, JsonObject] => [codes.join('.'), response(status, codes)]);
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function codesByStatus(operation: Operation): (readonly [number, readonly ErrorCode[]])[] {
  const byStatus = Map.groupBy(errorCodesOf(operation).toSorted(), (code) => errorCodes[code].status);
  return [...byStatus].sort(([a], [b]) => a - b);
}

function response(status: number, codes: readonly ErrorCode[]): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
    headers: { 'X-Request-Id': header('X-Request-Id'), ...extraHeaders(status) },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function extraHeaders(status: number): JsonObject {
  if (status === 401) return { 'WWW-Authenticate': header('WWW-Authenticate') };
  if (status === 429 || status === 503) return { 'Retry-After': header('Retry-After') };
  return {};
}

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

/** Additional members in the examples of some codes. */
const members: Readonly<Record<string, JsonObject>> = {
  forbidden: { required_role: 'engineer', role: 'viewer' },
  invalid_request: { errors: [{ pointer: '/body/name', message: 'unknown field' }] },
  rate_limited: { retry_after_s: 12 },
};

/** Example bodies of errors, by code. */
export const errorExamples: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  Object.entries(errorCodes).map(([code, { status, title }]) => [
    code,
    {
      summary: title,
      value: {
        type: `urn:assay:problem:${code}`,
        title,
        status,
        detail: title,
        instance: '/v1/projects',
        code,
        request_id: 'req_01k5w3p9x4f6zv2h7c8d0aqrst',
        ...members[code],
      },
    },
  ]),
);
