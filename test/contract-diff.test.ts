import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { type Json, nameOf } from '../scripts/contract/change.ts';
import { compareContracts } from '../scripts/contract/compare-contracts.ts';
import { heldAgainstGuide } from '../scripts/contract/migration-entries.ts';

/** Changes as lines, those that break with a `!` before. */
const told = (before: Json, after: Json) =>
  compareContracts(before, after).map((change) => `${change.breaking ? '!' : ' '}${nameOf(change)}`);

const body = (schema: Json, required = true) => ({
  required,
  content: { 'application/json': { schema } },
});
const answering = (schema: Json) => ({ 200: { content: { 'application/json': { schema } } } });
/** A contract of one operation, `POST /v1/x`. */
const posting = (operation: Json, components: Json = {}): Json => ({
  paths: { '/v1/x': { post: { operationId: 'x', ...operation } } },
  components,
});
const request = (schema: Json) => posting({ requestBody: body(schema) });
const answer = (schema: Json) => posting({ responses: answering(schema) });
const parameter = (more: Json) =>
  posting({ parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' }, ...more }] });

const object = (properties: Json, required: string[] = [], more: Json = {}): Json => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
});
const text: Json = { type: 'string' };
const number: Json = { type: 'number' };

describe('of schemas, a request must accept what it accepted and an answer gives nothing new', () => {
  const rows: readonly [title: string, Json, Json, asRequest: string[], asAnswer: string[]][] = [
    ['nothing', object({ a: text }), object({ a: text }), [], []],
    ['texts for people', { ...text, description: 'a' }, { ...text, examples: ['b'], title: 'c' }, [], []],
    ['a new optional property', object({}), object({ a: text }), [' .a: added'], [' .a: added']],
    ['a new required property', object({}), object({ a: text }, ['a']), ['!.a: added'], [' .a: added']],
    ['a removed property', object({ a: text }), object({}), ['!.a: removed'], ['!.a: removed']],
    [
      'a property that becomes required',
      object({ a: text }),
      object({ a: text }, ['a']),
      ['!.a: is required now'],
      ['!.a: is required now'],
    ],
    [
      'a property that becomes optional',
      object({ a: text }, ['a']),
      object({ a: text }),
      ['!.a: is optional now'],
      ['!.a: is optional now'],
    ],
    [
      'another type',
      text,
      number,
      ['!: type "string" became "number"'],
      ['!: type "string" became "number"'],
    ],
    [
      'a wider type',
      { type: 'integer' },
      number,
      [' : type "integer" became "number"'],
      ['!: type "integer" became "number"'],
    ],
    [
      'a narrower type',
      { type: ['string', 'null'] },
      text,
      ['!: type ["string","null"] became "string"'],
      [' : type ["string","null"] became "string"'],
    ],
    ['no type any more', text, {}, [' : type "string" became none'], ['!: type "string" became none']],
    [
      'a value less',
      { enum: ['a', 'b'] },
      { enum: ['a'] },
      ['!: value "b" removed'],
      ['!: value "b" removed'],
    ],
    ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, ['!: value "b" added'], ['!: value "b" added']],
    ['values in another order', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, [], []],
    [
      'any value becomes some',
      text,
      { ...text, enum: ['a'] },
      ['!: enum none became ["a"]'],
      ['!: enum none became ["a"]'],
    ],
    ['another constant', { const: 1 }, { const: 2 }, ['!: const 1 became 2'], ['!: const 1 became 2']],
    [
      'another standard',
      { default: 1 },
      { default: 2 },
      ['!: default 1 became 2'],
      ['!: default 1 became 2'],
    ],
    [
      'another pattern',
      { pattern: 'a' },
      { pattern: 'b' },
      ['!: pattern "a" became "b"'],
      ['!: pattern "a" became "b"'],
    ],
    [
      'a higher ceiling',
      { maximum: 1 },
      { maximum: 2 },
      [' : maximum 1 became 2'],
      ['!: maximum 1 became 2'],
    ],
    ['no ceiling', { maxLength: 1 }, {}, [' : maxLength 1 became none'], ['!: maxLength 1 became none']],
    ['a new ceiling', {}, { maxItems: 9 }, ['!: maxItems none became 9'], [' : maxItems none became 9']],
    ['a lower floor', { minimum: 1 }, { minimum: 0 }, [' : minimum 1 became 0'], ['!: minimum 1 became 0']],
    [
      'a higher floor',
      { minLength: 0 },
      { minLength: 1 },
      ['!: minLength 0 became 1'],
      [' : minLength 0 became 1'],
    ],
    [
      'items of another type',
      { type: 'array', items: text },
      { type: 'array', items: number },
      ['![]: type "string" became "number"'],
      ['![]: type "string" became "number"'],
    ],
    [
      'a list of anything',
      { type: 'array', items: text },
      { type: 'array' },
      ['!: items changed'],
      ['!: items changed'],
    ],
    [
      'maps of another type',
      { additionalProperties: text },
      { additionalProperties: number },
      ['!{}: type "string" became "number"'],
      ['!{}: type "string" became "number"'],
    ],
    [
      'further properties are taken',
      object({}),
      object({}, [], { additionalProperties: true }),
      [' : additionalProperties changed'],
      [' : additionalProperties changed'],
    ],
    [
      'further properties are refused',
      object({}, [], { additionalProperties: true }),
      object({}),
      ['!: additionalProperties changed'],
      [' : additionalProperties changed'],
    ],
    [
      'an alternative more',
      { anyOf: [text] },
      { anyOf: [text, { type: 'null' }] },
      [' : alternative null added'],
      ['!: alternative null added'],
    ],
    [
      'null where there was none',
      text,
      { anyOf: [text, { type: 'null' }] },
      [' : alternative null added'],
      ['!: alternative null added'],
    ],
    [
      'an alternative less',
      { oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] },
      { oneOf: [object({ kind: { const: 'b' } })] },
      ['!: alternative kind="a" removed'],
      [' : alternative kind="a" removed'],
    ],
    [
      'alternatives in another order',
      { anyOf: [object({ kind: { const: 'a' }, x: text }), { type: 'null' }] },
      { anyOf: [{ type: 'null' }, object({ kind: { const: 'a' }, x: number })] },
      ['!<kind="a">.x: type "string" became "number"'],
      ['!<kind="a">.x: type "string" became "number"'],
    ],
    [
      'a keyword that nobody knows',
      {},
      { unevaluatedItems: false },
      ['!: unevaluatedItems none became false'],
      ['!: unevaluatedItems none became false'],
    ],
  ];
  const at = (place: string) => (line: string) => `${line[0]}POST /v1/x ${place}${line.slice(1)}`;
  for (const [title, before, after, asRequest, asAnswer] of rows) {
    it(`${title}, in a request`, () => {
      expect(told(request(before), request(after))).toEqual(asRequest.map(at('body')));
    });
    it(`${title}, in an answer`, () => {
      expect(told(answer(before), answer(after))).toEqual(asAnswer.map(at('200')));
    });
  }
});

describe('of operations', () => {
  const none = posting({});
  const rows: readonly [title: string, Json, Json, string[]][] = [
    ['one more', { paths: {} }, none, [' POST /v1/x: added']],
    ['one less', none, { paths: {} }, ['!POST /v1/x: removed']],
    [
      'another path',
      none,
      { paths: { '/v1/y': objectOf(none, 'paths', '/v1/x') } },
      ['!POST /v1/x: removed', ' POST /v1/y: added'],
    ],
    [
      'another id',
      none,
      posting({ operationId: 'y' }),
      ['!POST /v1/x: operation id changed, by which clients name it'],
    ],
    [
      'another role',
      none,
      posting({ 'x-required-role': 'admin' }),
      ['!POST /v1/x: the role that it wants changed'],
    ],
    [
      'no authentication',
      posting({ security: [{ bearer: [] }] }),
      none,
      ['!POST /v1/x: authentication changed'],
    ],
    [
      'another scheme',
      posting({}, { securitySchemes: { bearer: { type: 'http' } } }),
      posting({}, { securitySchemes: {} }),
      ['!authentication: security schemes changed'],
    ],
    ['an optional parameter', none, parameter({}), [' POST /v1/x query limit: added']],
    ['a required parameter', none, parameter({ required: true }), ['!POST /v1/x query limit: added']],
    ['a parameter less', parameter({}), none, ['!POST /v1/x query limit: removed']],
    [
      'a parameter becomes required',
      parameter({}),
      parameter({ required: true }),
      ['!POST /v1/x query limit: is required now'],
    ],
    [
      'a parameter is written otherwise',
      parameter({}),
      parameter({ explode: false }),
      ['!POST /v1/x query limit: explode changed'],
    ],
    [
      'a parameter goes elsewhere',
      parameter({}),
      parameter({ in: 'header' }),
      ['!POST /v1/x query limit: removed', ' POST /v1/x header limit: added'],
    ],
    ['an optional body', none, posting({ requestBody: body(text, false) }), [' POST /v1/x body: added']],
    ['a required body', none, request(text), ['!POST /v1/x body: added']],
    ['no body', request(text), none, ['!POST /v1/x body: removed']],
    [
      'a body becomes required',
      posting({ requestBody: body(text, false) }),
      request(text),
      ['!POST /v1/x body: is required now'],
    ],
    [
      'another type of content',
      posting({ responses: { 200: { content: { 'text/csv': {} } } } }),
      posting({ responses: { 200: { content: { 'text/html': {} } } } }),
      ['!POST /v1/x 200: text/csv removed', ' POST /v1/x 200: text/html added'],
    ],
    ['one more error', none, posting({ responses: { 409: {} } }), [' POST /v1/x 409: added']],
    ['another success', none, posting({ responses: { 202: {} } }), ['!POST /v1/x 202: added']],
    ['an answer less', posting({ responses: { 404: {} } }), none, ['!POST /v1/x 404: removed']],
    [
      'a header less',
      posting({ responses: { 200: { headers: { ETag: {} } } } }),
      posting({ responses: { 200: {} } }),
      ['!POST /v1/x 200: header ETag removed'],
    ],
  ];
  for (const [title, before, after, changes] of rows)
    it(title, () => expect(told(before, after)).toEqual(changes));
});

test('the script says how it is called, for --help and for what it does not know', () => {
  const ran = (option: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/contract-diff.ts', option], {
      encoding: 'utf8',
    });
    return [status, stdout.split('\n')[0], stderr];
  };
  expect(ran('--help')).toEqual([0, 'npm run contract-diff -- [options]', '']);
  const [status, , stderr] = ran('--yaml');
  expect([status, stderr]).toEqual([2, expect.stringContaining("'--yaml'")]);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test('a named schema is told once for requests and once for answers, however it nests', () => {
  const tree = (value: Json): Json =>
    posting(
      {
        requestBody: body({ $ref: '#/components/schemas/Tree' }),
        responses: answering({ $ref: '#/components/schemas/Tree' }),
      },
      {
        schemas: {
          Tree: object({ value, more: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }),
        },
      },
    );
  expect(told(tree({ maximum: 1 }), tree({ maximum: 2 }))).toEqual([
    '!answer Tree.value: maximum 1 became 2',
    ' request Tree.value: maximum 1 became 2',
  ]);
});

test('what breaks wants an entry under Unreleased, and entries of nothing are told', () => {
  const changes = compareContracts(answer(object({ a: text, b: text })), answer(object({})));
  const guide = (unreleased: string) =>
    `# Migrations\n\n## Unreleased\n\n${unreleased}\n## 0.1.0\n\n- \`POST /v1/x 200.b: removed\`: old\n`;
  const held = (text: string) => {
    const { missing, idle } = heldAgainstGuide(changes, guide(text));
    return [missing.map(nameOf), idle];
  };
  expect(held('')).toEqual([['POST /v1/x 200.a: removed', 'POST /v1/x 200.b: removed'], []]);
  expect(
    held('- `POST /v1/x 200.a: removed`: ask for it elsewhere\n- `POST /v1/x 200.b: removed`:\n'),
  ).toEqual([['POST /v1/x 200.b: removed'], []]);
  expect(held('- `POST /v1/y: removed`: go away\n')[1]).toEqual(['POST /v1/y: removed']);
});

test('the whole contract is compared: a required property of a request that is optional is told', () => {
  const released = JSON.parse(readFileSync('openapi.json', 'utf8'));
  expect(compareContracts(released, structuredClone(released))).toEqual([]);
  const changed = structuredClone(released);
  const { schema } = changed.paths['/v1/projects'].post.requestBody.content['application/json'];
  schema.required = schema.required.filter((name: string) => name !== 'name');
  delete changed.components.schemas.Project.properties.name;
  expect(told(released, changed)).toEqual([
    '!POST /v1/projects body.name: is optional now',
    '!answer Project.name: removed',
  ]);
});

function objectOf(from: Json, ...keys: string[]): Json {
  return keys.reduce((at, key) => at[key] as Json, from);
}
