import { spawn } from 'node:child_process';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractService, startContractService } from '../support/contract-service.ts';
import { type FixtureServer, startFixtureServer } from './mcp-fixtures.ts';

const folder = process.env.ASSAY_MCP_TOOLS;
const why = folder ? '' : ' (skipped: set ASSAY_MCP_TOOLS)';
const baseline = resolve('test/interop/mcp_expected_failures.yaml');

/** Scenarios that need nothing but a server. */
const general = [
  ...[
    'server-initialize',
    'ping',
    'logging-set-level',
    'completion-complete',
    'tools-list',
    'resources-list',
  ],
  ...['prompts-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'],
];

interface Ran {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a program of the folder under this Node, while servers of this process answer it. */
function runTool(program: string, args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [
    join(folder ?? '', 'node_modules/@modelcontextprotocol', program),
    ...args,
  ]);
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (out += text));
  return new Promise((ended, failed) => {
    child.on('error', failed);
    child.on('close', (code) => ended({ code, out }));
  });
}

const conformance = (args: readonly string[]) => runTool('conformance/dist/index.js', ['server', ...args]);
const inspector = (args: readonly string[]) => runTool('inspector/cli/build/cli.js', ['--cli', ...args]);

/** The suite sends no token: what passes here gets one. */
async function startDoor(service: ContractService, token: string) {
  const { hostname, port } = new URL(service.address);
  const door = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const onward = ask({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((up) => door.listen(0, '127.0.0.1', up));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`,
    close: () => {
      door.closeAllConnections();
      door.close();
    },
  };
}

describe.skipIf(why !== '')(`the Model Context Protocol${why}`, () => {
  let service: ContractService;
  let door: Awaited<ReturnType<typeof startDoor>>;
  let fixtures: FixtureServer;
  beforeAll(async () => {
    service = await startContractService();
    door = await startDoor(service, service.tenants[0].tokens.admin);
    fixtures = await startFixtureServer();
  });
  afterAll(async () => {
    door.close();
    await fixtures.close();
    await service.close();
  });

  it.each(general)('%s of the conformance suite passes for the service', async (scenario) => {
    const { code, out } = await conformance(['--url', door.url, '--scenario', scenario]);
    expect(out).not.toContain('FAILURE');
    expect(code, out).toBe(0);
  });

  it('the whole suite passes but for what the service does not offer', async () => {
    const { code, out } = await conformance(['--url', fixtures.url, '--expected-failures', baseline]);
    expect(code, out).toBe(0);
    expect(fixtures.faults).toEqual([]);
  });

  it('the inspector lists the tools and calls one', async () => {
    const listed = await inspector([door.url, '--transport', 'http', '--method', 'tools/list']);
    expect(JSON.parse(listed.out).tools).toHaveLength(35);
    const called = ['--method', 'tools/call', '--tool-name', 'list_workspaces'];
    const { out } = await inspector([door.url, '--transport', 'http', ...called]);
    expect(JSON.parse(out).structuredContent.items).toEqual(expect.any(Array));
  });
});
