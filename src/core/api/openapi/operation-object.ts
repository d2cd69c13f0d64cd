import type { JsonObject, JsonValue } from '#core';
import type { Operation } from '../operation.ts';
import { errorResponses } from './errors.ts';
import type { SchemaBook } from './schemas.ts';

/** An operation's part of the document; `build` is called when the book's schemas are known. */
export function operationObject(operation: Operation, book: SchemaBook): () => JsonObject {
  const parameters = parametersOf(operation, book);
  const body = operation.body === undefined ? null : book.add(operation.body, 'input');
  const bodyRequired = operation.body?.safeParse(undefined).success === false;
  const success = successOf(operation, book);
  const { id, tag, summary, description, role } = operation;
  return () => ({
    operationId: id,
    tags: [tag],
    summary,
    description: [description, role === 'public' ? 'Needs no token.' : `Needs the role \`${role}\`.`]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    'x-required-role': role,
    security: securityOf(operation),
    ...withParameters(parameters()),
    ...(body === null
      ? {}
      : { requestBody: { required: bodyRequired, content: { 'application/json': { schema: body.value } } } }),
    responses: { ...success(), ...errorResponses(operation) },
  });
}

const events = 'text/event-stream';

const withParameters = (parameters: readonly JsonObject[]): JsonObject =>
  parameters.length === 0 ? {} : { parameters };

function securityOf({ role, success }: Operation): readonly JsonObject[] {
  if (role === 'public') return [];
  const page = 'content_type' in success && success.content_type.startsWith('text/html');
  return page ? [{ bearer: [] }, { basic: [] }] : [{ bearer: [] }];
}

function parametersOf(operation: Operation, book: SchemaBook): () => readonly JsonObject[] {
  const params = operation.params === undefined ? null : book.add(operation.params, 'input');
  const query = operation.query === undefined ? null : book.add(operation.query, 'input');
  const named = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });
  const isStream = 'content_type' in operation.success && operation.success.content_type === events;
  return () => [
    ...(params === null ? [] : membersAs('path', params.value)),
    ...(query === null ? [] : membersAs('query', query.value)),
    ...(operation.idempotent ? [named('Idempotency-Key')] : []),
    ...(operation.conditional ? [named('If-None-Match')] : []),
    ...(operation.ranges ? [named('Range'), named('If-Range')] : []),
    ...(isStream ? [named('Last-Event-ID')] : []),
  ];
}

function membersAs(where: 'path' | 'query', schema: JsonObject): readonly JsonObject[] {
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonObject>>).map(
    ([name, { description, ...member }]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: member,
    }),
  );
}

function successOf({ success, conditional, ranges }: Operation, book: SchemaBook): () => JsonObject {
  const schema =
    'schema' in success && success.schema !== undefined ? book.add(success.schema, 'output') : null;
  const headers: JsonObject = {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    ...(conditional ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
  };
  const found = 'found' in success && success.found !== undefined;
  return () => ({
    ...(found
      ? {
          [String(success.found)]: {
            description: 'It was there already.',
            headers,
            ...contentOf(success, schema?.value),
          },
        }
      : {}),
    [String(success.status)]: {
      description: descriptions[success.status],
      headers,
      ...contentOf(success, schema?.value),
    },
    ...(ranges
      ? {
          '206': {
            description: 'The bytes that `Range` names.',
            headers,
            ...contentOf(success, schema?.value),
          },
        }
      : {}),
    ...(conditional
      ? { '304': { description: 'Unchanged since the version that `If-None-Match` names.', headers } }
      : {}),
  });
}

const descriptions: Readonly<Record<Operation['success']['status'], string>> = {
  200: 'As asked.',
  201: 'Created.',
  202: 'Accepted; it goes on in the background.',
  204: 'Done; the answer has no content.',
};

function contentOf(success: Operation['success'], schema: JsonValue | undefined): JsonObject {
  if (success.status === 204) return {};
  const type = 'content_type' in success ? success.content_type : 'application/json';
  const said = type === events && schema !== undefined ? eventSchema(schema as JsonObject) : schema;
  return { content: { [type]: { schema: said ?? bytesSchema(type) } } };
}

/** Where any media type may come, JSON may, which is not of type string. */
function bytesSchema(type: string): JsonObject {
  if (type === '*/*') return {};
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

/** One event of a stream: its `data` is JSON as text. */
function eventSchema({ oneOf, ...rest }: JsonObject): JsonObject {
  const branches = (oneOf ?? [rest]) as readonly {
    readonly properties: Readonly<Record<string, JsonObject>>;
  }[];
  return {
    oneOf: branches.map(({ properties: { event, data } }) => ({
      type: 'object',
      properties: {
        id: { type: 'string' },
        event,
        data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
      },
      required: ['event', 'data'],
    })),
  };
}

/** A contract path as OpenAPI writes it. */
export const openApiPath = (path: string): string => path.replace(/\*\}$/, '}');
