import Ajv from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCodes, type JsonObject } from '#core';
import { openApiDocument } from './openapi-document.ts';
import { defineOperation, type Operation } from './operation.ts';
import { operations } from './operations/index.ts';

const row = (more: Partial<Operation>): Operation => ({
  id: 'list_things',
  method: 'GET',
  path: '/v1/things',
  tag: 'Things',
  summary: 'List things',
  role: 'viewer',
  success: { status: 204 },
  ...more,
});

/** Returns every `$ref` in a value, at any depth. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : refsIn(member),
  );
}

const at = (document: JsonObject, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);

/** Validates a value by the JSON Schema of a body in a document and returns the violations. */
function validator(document: JsonObject) {
  const ajv = new Ajv.default({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'contract');
  return ([top, path, ...rest]: readonly string[], value: unknown): readonly string[] => {
    const pointer = [top, path.replaceAll('/', '~1'), ...rest, 'schema'].join('/');
    const validate = ajv.compile({ $ref: `contract#/${encodeURI(pointer)}` });
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  };
}

describe('the document of the contract', () => {
  const document = openApiDocument(operations);

  it('has every operation under its address', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const { id, method, path, summary } of operations) {
      const item = (document.paths as Record<string, JsonObject>)[path.replace('*}', '}')];
      expect(item[method.toLowerCase()], id).toMatchObject({ operationId: id, summary });
    }
  });

  it('refers to nothing that is not there', () => {
    for (const ref of new Set(refsIn(document))) expect(at(document, ref.slice(1)), ref).toBeDefined();
  });

  it('describes every parameter of a path', () => {
    for (const { id, path, params } of operations) {
      const named = [...path.matchAll(/\{([^}*]+)\*?\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.shape ?? {}).sort(), id).toEqual(named.sort());
    }
  });

  it('has an example of every body, which its schema accepts', () => {
    const examples = validator(document);
    for (const { id, method, path, body, example } of operations) {
      if (body === undefined) expect(example, id).toBeUndefined();
      else {
        expect(body.safeParse(example).error?.issues ?? [], id).toEqual([]);
        const pointer = [
          'paths',
          path.replace('*}', '}'),
          method.toLowerCase(),
          'requestBody/content/application~1json',
        ];
        expect(examples(pointer, example), id).toEqual([]);
      }
    }
  });

  it('can be written down', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe('an operation in the document', () => {
  const thing = z.strictObject({ name: z.string().default('bolt') }).meta({ id: 'TestThing' });
  const box = z.strictObject({ things: z.array(thing) }).meta({ id: 'TestBox' });

  it('distinguishes request and response schemas if defaults make a difference', () => {
    const document = openApiDocument([
      defineOperation({
        ...row({ method: 'PUT' }),
        body: box,
        success: { status: 200, schema: box },
      }),
    ]);
    const put = at(document, '/paths') as Record<string, Record<string, unknown>>;
    expect(put['/v1/things'].put).toMatchObject({
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/TestBoxInput' } } },
      },
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/TestBox' } } } },
      },
    });
    expect(at(document, '/components/schemas/TestThingInput/required')).toBeUndefined();
    expect(at(document, '/components/schemas/TestThing/required')).toEqual(['name']);
  });

  it('names the answers that its shape can be given', () => {
    const statuses = (more: Partial<Operation>) => {
      const document = openApiDocument([row(more)]);
      const [item] = Object.values(document.paths as Record<string, Record<string, JsonObject>>);
      return Object.keys(Object.values(item)[0].responses as JsonObject);
    };
    const always = ['204', '400', '422', '429', '500', '503'];
    expect(statuses({ role: 'public' })).toEqual(always);
    expect(statuses({ role: 'viewer' })).toEqual([...always, '401'].sort());
    expect(statuses({ role: 'engineer', method: 'POST', idempotent: true, errors: ['not_found'] })).toEqual(
      [...always, '401', '403', '404', '409', '413', '415'].sort(),
    );
    expect(statuses({ role: 'public', unmetered: true, conditional: true })).toEqual([
      '204',
      '304',
      '400',
      '422',
      '500',
      '503',
    ]);
  });

  it('describes one event of a stream', () => {
    const number = z.strictObject({ event: z.literal('number'), data: z.strictObject({ n: z.int() }) });
    const end = z.strictObject({ event: z.literal('end'), data: z.null() });
    const schema = z.discriminatedUnion('event', [number, end]);
    const document = openApiDocument([
      row({ success: { status: 200, content_type: 'text/event-stream', schema } }),
    ]);
    const paths = document.paths as Record<string, Record<string, unknown>>;
    expect(paths['/v1/things'].get).toMatchObject({
      responses: {
        200: {
          content: {
            'text/event-stream': {
              schema: {
                oneOf: [
                  {
                    properties: {
                      event: { const: 'number' },
                      data: { contentSchema: { properties: { n: { type: 'integer' } } } },
                    },
                  },
                  { properties: { event: { const: 'end' } } },
                ],
              },
            },
          },
        },
      },
    });
  });

  it('shows every code with a body as it may look', () => {
    const examples = openApiDocument([]).components as Record<string, Record<string, unknown>>;
    expect(Object.keys(examples.examples)).toEqual(Object.keys(errorCodes));
  });
});
