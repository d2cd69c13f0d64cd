import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AssayError, type JsonObject, type JsonValue } from '#core';
import { createMcpEndpoint } from '#service/mcp';
import type { Call } from '#service/operations';

type Endpoint = ReturnType<typeof createMcpEndpoint>;
type Offer = Parameters<typeof createMcpEndpoint>[0]['offer'];
type Tool = ReturnType<Offer['tools']>[number];

const noInput = { properties: {}, additionalProperties: false };

const tool = (id: string, call: Tool['call'], input_schema: JsonObject = noInput): Tool => ({
  ...{ id, title: id, description: `${id} of the conformance suite`, input_schema, call },
  ...{ reads: true, confirmed: false },
});

const text = (value: JsonValue) => async () => value;

/** Tools that the conformance suite expects from a test server, as far as our server supports them. */
const tools: readonly Tool[] = [
  tool('test_simple_text', text('This is a simple text response for testing.')),
  tool('test_error_handling', async () => {
    throw new AssayError('conflict', 'This tool intentionally returns an error for testing');
  }),
  tool(
    'test_elicitation',
    async ({ message }, { askPerson }) => (await askPerson?.(String(message))) ?? 'nobody can be asked',
    { properties: { message: { type: 'string' } }, required: ['message'] },
  ),
  tool('json_schema_2020_12_tool', text('named'), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  }),
];

const offer: Offer = {
  instructions: 'Fixtures of the conformance suite.',
  tools: () => tools,
  find: (id) => tools.find((one) => one.id === id),
  kinds: [
    {
      template: 'test://static-text',
      name: 'text',
      description: 'A text',
      media_type: 'text/plain',
      read: async (uri) =>
        uri === 'test://static-text' ? 'This is the content of the static text resource.' : null,
    },
    {
      template: 'test://template/{id}/data',
      name: 'template',
      description: 'By id',
      media_type: 'application/json',
      read: async (uri) => {
        const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
        return id === undefined
          ? null
          : JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      },
    },
  ],
  prompts: [
    {
      ...{ id: 'test_simple_prompt', title: 'Simple', description: 'No arguments', parameters: [] },
      text: async () => 'This is a simple prompt for testing.',
    },
    {
      ...{ id: 'test_prompt_with_arguments', title: 'Arguments', description: 'Two arguments' },
      parameters: ['arg1', 'arg2'].map((name) => ({ name, description: name })),
      text: async ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
  ],
  complete: async () => ['one', 'two'],
  listResources: async () => [
    { uri: 'test://static-text', name: 'text', description: 'A text', media_type: 'text/plain' },
  ],
};

const call = (): Call => ({
  actor: { tenant_id: 'ten_1', token_id: 'tok_1', user_id: null, name: 'suite', role: 'admin' },
  request_id: 'req_1',
  now: new Date(),
});

export interface FixtureServer {
  readonly url: string;
  /** Faults of the program that it met. */
  readonly faults: readonly unknown[];
  close(): Promise<void>;
}

/** The service's own endpoint of the protocol, with the suite's fixtures in place of the service's tools. */
export async function startFixtureServer(): Promise<FixtureServer> {
  const faults: unknown[] = [];
  const endpoint: Endpoint = createMcpEndpoint({
    ...{ offer, version: '0.0.0', behind_proxy: false, onFault: (thrown: unknown) => faults.push(thrown) },
  });
  const server: Server = createServer((request, response) => {
    endpoint.handle(call(), request, response).catch((thrown: unknown) => {
      response.writeHead(thrown instanceof AssayError && thrown.code === 'forbidden' ? 403 : 404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    faults,
    close: async () => {
      await endpoint.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
