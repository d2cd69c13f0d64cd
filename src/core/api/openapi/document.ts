import type { JsonObject } from '#core';
import { contractVersions } from '../contract-version.ts';
import type { Operation } from '../operation.ts';
import { problemSchema } from '../problem.ts';
import { errorExamples, sharedResponses } from './errors.ts';
import { openApiPath, operationObject } from './operation-object.ts';
import { SchemaBook } from './schemas.ts';

/** The contract as an OpenAPI 3.1.0 document, from its rows and nothing else. */
export function openApiDocument(operations: Iterable<Operation>): JsonObject {
  const rows = [...operations];
  const book = new SchemaBook();
  book.add(problemSchema, 'output');
  const builders = rows.map((row) => ({ row, build: operationObject(row, book) }));
  const schemas = book.components();
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const { row, build } of builders) {
    const path = openApiPath(row.path);
    paths[path] ??= {};
    paths[path][row.method.toLowerCase()] = build();
  }
  const used = new Set(rows.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: [...used].map((name) => ({ name })),
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas,
      responses: sharedResponses(rows),
      parameters,
      headers,
      examples: errorExamples,
      securitySchemes,
    },
  };
}

const info: JsonObject = {
  title: 'Assay',
  version: contractVersions.version,
  summary: 'Says with evidence whether robot recordings are fit to train on.',
  description: [
    'Requests carry `Authorization: Bearer <token>`. A token has one role; `viewer`, `reviewer`, `engineer` and `admin` may each do what those before may.',
    'Lists take `limit` and `cursor` and answer `items` and `next_cursor`, which is null on the last page.',
    'Errors are `application/problem+json`; `code` is from one closed list, `errors` points at what was wrong with JSON pointers into the request (`/body/name`, `/query/limit`). What is not there and what belongs to another tenant are both 404.',
    'Every answer has an `X-Request-Id`; a request may bring its own.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const text = (description: string, more: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: 'string', ...more },
});

const headers: JsonObject = {
  'X-Request-Id': text('Names the request in logs and in the audit log.'),
  ETag: text('Entity tag for `If-None-Match`.'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': text('How to authenticate.'),
};

const inHeader = (name: string, header: JsonObject): JsonObject => ({
  name,
  in: 'header',
  required: false,
  ...header,
});

const parameters: JsonObject = {
  'Idempotency-Key': inHeader(
    'Idempotency-Key',
    text(
      'Any string of your own. Repeating a request with its key within a day takes effect once and gives the same answer; requests that come at once wait for the first. The key with another request is a conflict.',
      { minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    ),
  ),
  Range: inHeader('Range', text('`bytes=FROM-TO`, one range; several are answered with everything.')),
  'If-Range': inHeader('If-Range', text('An `ETag` from before; where it has changed, everything is sent.')),
  'If-None-Match': inHeader('If-None-Match', text('An `ETag` from before; 304 when nothing has changed.')),
  'Last-Event-ID': inHeader(
    'Last-Event-ID',
    text('Id of the last event that arrived; the stream continues after it.'),
  ),
};

const securitySchemes: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A token, `asy_…`.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'For pages that a browser opens by itself: any name, and a token as the password.',
  },
};
