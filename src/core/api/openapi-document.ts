import { z } from 'zod';
import type { JsonObject, JsonValue } from '#core';
import { contractVersions } from './contract-version.ts';
import { errorExamples, errorResponses, sharedResponses } from './openapi-errors.ts';
import type { Operation } from './operation.ts';
import { problemSchema } from './problem.ts';

/**
 * Registers an operation's schemas and returns a function that builds its part of the document once all schemas are
 * known.
 */
function operationObject(operation: Operation, book: SchemaBook): () => JsonObject {
  const parameters = parametersOf(operation, book);
  const body = operation.body === undefined ? null : book.add(operation.body, 'input');
  const bodyRequired = operation.body?.safeParse(undefined).success === false;
  const success = successOf(operation, book);
  const { id, tag, summary, description, role, example } = operation;
  const content = (schema: JsonValue) => ({ schema, ...(example === undefined ? {} : { example }) });
  return () => ({
    operationId: id,
    tags: [tag],
    summary,
    description: [
      description,
      role === 'public' ? 'No token required.' : `Requires the role \`${role}\` or higher.`,
    ]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    'x-required-role': role,
    security: securityOf(operation),
    ...withParameters(parameters()),
    ...(body === null
      ? {}
      : { requestBody: { required: bodyRequired, content: { 'application/json': content(body.value) } } }),
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
    ...('location' in success ? { Location: { $ref: '#/components/headers/Location' } } : {}),
  };
  const found = 'found' in success && success.found !== undefined;
  return () => ({
    ...(found
      ? {
          [String(success.found)]: {
            description: 'It already exists; the existing object is returned.',
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
            description: 'The requested byte range.',
            headers,
            ...contentOf(success, schema?.value),
          },
        }
      : {}),
    ...(conditional
      ? { '304': { description: 'Not modified: the `ETag` sent in `If-None-Match` is current.', headers } }
      : {}),
  });
}

const descriptions: Readonly<Record<Operation['success']['status'], string>> = {
  200: 'OK.',
  201: 'Created.',
  202: 'Accepted; the work continues in the background.',
  204: 'Done; the response has no body.',
};

function contentOf(success: Operation['success'], schema: JsonValue | undefined): JsonObject {
  if (success.status === 204) return {};
  const type = 'content_type' in success ? success.content_type : 'application/json';
  const contentSchema = type === events && schema !== undefined ? eventSchema(schema as JsonObject) : schema;
  return { content: { [type]: { schema: contentSchema ?? bytesSchema(type) } } };
}

/** Returns the schema of a body of bytes; empty for any media type, because JSON is possible there and is not of type string. */
function bytesSchema(type: string): JsonObject {
  if (type === '*/*') return {};
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

/** Returns the schema of one event of a stream, whose `data` is JSON as text. */
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

/** Returns a path in the notation of OpenAPI: `{name}` instead of `{name*}`. */
const openApiPath = (path: string): string => path.replace(/\*\}$/, '}');

/** Side of a schema: before (`input`) or after (`output`) defaults and transforms. */
type Io = 'input' | 'output';

/**
 * Converts zod schemas to JSON Schema whose named parts (`.meta({ id })`) are shared components. A part that differs
 * between request and response is stored twice: `Name` for responses, `NameInput` for requests.
 */
class SchemaBook {
  readonly #parts: Record<Io, Map<string, JsonObject>> = { input: new Map(), output: new Map() };
  /** Converted root schemas; references are renamed once it is known which parts differ. */
  readonly #roots: { readonly io: Io; readonly schema: JsonObject; readonly into: { value: JsonObject } }[] =
    [];

  /** Adds a schema and returns an object that `components` fills with it later. */
  add(schema: z.ZodType, io: Io): { readonly value: JsonObject } {
    const { $schema: _, $defs, ...root } = z.toJSONSchema(schema, { io, override: tidy }) as JsonObject;
    for (const [id, part] of Object.entries(($defs ?? {}) as Readonly<Record<string, JsonObject>>)) {
      if (id.startsWith('__'))
        throw new Error(`a schema refers to itself without a name: give it meta({ id })`);
      this.#parts[io].set(id, id === 'JsonValue' ? anyJson : part);
    }
    const into = { value: {} as JsonObject };
    this.#roots.push({ io, schema: root, into });
    return into;
  }

  /** Fills every object that `add` returned, and returns the shared parts by name. */
  components(): Readonly<Record<string, JsonObject>> {
    const twofold = this.#twofold();
    const rename = (io: Io) => (id: string) => (io === 'input' && twofold.has(id) ? `${id}Input` : id);
    for (const { io, schema, into } of this.#roots) into.value = pointed(schema, rename(io)) as JsonObject;
    const all = new Map<string, JsonObject>();
    for (const io of ['output', 'input'] as const)
      for (const [id, part] of this.#parts[io])
        all.set(rename(io)(id), pointed(part, rename(io)) as JsonObject);
    return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns the names of parts that differ between request and response, or refer to such a part. */
  #twofold(): ReadonlySet<string> {
    const { input, output } = this.#parts;
    const differs = (id: string) =>
      output.has(id) && JSON.stringify(input.get(id)) !== JSON.stringify(output.get(id));
    const found = new Set([...input.keys()].filter(differs));
    const refersToFound = (part: JsonObject) =>
      [...found].some((id) => JSON.stringify(part).includes(`"#/$defs/${id}"`));
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const [id, part] of input) if (output.has(id) && refersToFound(part)) found.add(id);
    }
    return found;
  }
}

/** Schema of any JSON value, without a reference to itself, because many tools cannot follow one. */
const anyJson: JsonObject = { description: 'Any JSON value.' };

/** Returns a copy of the schema whose references point to components under their new names. */
function pointed(value: JsonValue, rename: (id: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((member: JsonValue) => pointed(member, rename));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, JsonValue] =>
    key === '$ref' && typeof member === 'string'
      ? [key, `#/components/schemas/${rename(member.replace('#/$defs/', ''))}`]
      : [key, pointed(member, rename)],
  );
  return Object.fromEntries(entries);
}

/** Removes parts of a schema that its format or type implies. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Tools disagree on `format: email`; the pattern is what the service enforces.
  if (jsonSchema.format === 'email' && jsonSchema.pattern !== undefined) delete jsonSchema.format;
  // Write a tuple of equal members as a list of that length, which more tools understand.
  const [first, ...rest] = jsonSchema.prefixItems ?? [];
  const same = (member: unknown) => JSON.stringify(member) === JSON.stringify(first);
  if (first !== undefined && jsonSchema.items === false && rest.every(same)) {
    delete jsonSchema.prefixItems;
    jsonSchema.items = first;
  }
  const names = jsonSchema.propertyNames;
  if (typeof names === 'object' && Object.keys(names).length === 1 && names.type === 'string')
    delete jsonSchema.propertyNames;
}

/**
 * Builds the OpenAPI 3.1.0 document of the API from its operations alone: paths, schemas, error responses and
 * security schemes.
 */
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
  summary: 'Checks whether robot recordings are fit to train on, with evidence for every decision.',
  description: [
    'Send `Authorization: Bearer <token>` with every request. A token has one role: `viewer`, `reviewer`, `engineer` or `admin`. Each role includes the permissions of the roles before it.',
    'Lists accept `limit` and `cursor` and return `items` and `next_cursor`, which is `null` on the last page.',
    'Errors are returned as `application/problem+json`. `code` is one of a fixed list of error codes; `errors` lists invalid fields by JSON pointer into the request (`/body/name`, `/query/limit`). A missing object and an object of another tenant both return 404.',
    'Every response has an `X-Request-Id` header. A request may supply its own.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const text = (description: string, more: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: 'string', ...more },
});

const headers: JsonObject = {
  'X-Request-Id': text('Id of the request in the service log and the audit log.'),
  ETag: text('Entity tag. Send it in `If-None-Match` to avoid downloading unchanged content.'),
  Location: text('Path of the object that the response describes.'),
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': text('Authentication scheme to use.'),
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
      'A unique string chosen by the client, 1–255 printable ASCII characters. Retries with the same key within 24 hours take effect once and return the same response; concurrent retries wait for the first. Using the key for a different request returns 409.',
      { minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    ),
  ),
  Range: inHeader(
    'Range',
    text('`bytes=FROM-TO`, a single range. If several ranges are requested, the full content is returned.'),
  ),
  'If-Range': inHeader(
    'If-Range',
    text('`ETag` of the partial download. If the content has changed, all of it is returned.'),
  ),
  'If-None-Match': inHeader(
    'If-None-Match',
    text('`ETag` of an earlier response. Returns 304 if the content has not changed.'),
  ),
  'Last-Event-ID': inHeader(
    'Last-Event-ID',
    text('Id of the last event received; the stream resumes after it.'),
  ),
};

const securitySchemes: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'API token, `asy_…`.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'For pages opened directly in a browser: any user name, with a token as the password.',
  },
};
