import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AddressRules, guardedFetch } from './network-guard.ts';

const rules = new AddressRules([]);

describe('without allowed networks', () => {
  test.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.9.9.9', '169.254.169.254'],
    ...['172.16.0.1', '172.31.255.255', '192.0.0.192', '192.168.1.1', '198.18.0.1', '203.0.113.5'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...['::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:0', '64:ff9b::10.0.0.1'],
    ...[
      '64:ff9b::',
      '64:ff9b:1::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
    ],
    ...['2001::1', '2001:db8::1', '2002:7f00:1::', '100::1', '3fff::1', '4000::1', 'not an address', ''],
  ])('%s is not connected to', (address) => {
    expect(rules.allows(address, 'https:')).toBe(false);
    expect(rules.allows(address, 'http:')).toBe(false);
  });

  test.each([
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
  ])('%s is connected to over https only', (address) => {
    expect(rules.allows(address, 'https:')).toBe(true);
    expect(rules.allows(address, 'http:')).toBe(false);
  });
});

test('an allowed network is connected to over both, however its addresses are written', () => {
  const lab = new AddressRules(['10.20.0.0/16', 'fd12::/16', '127.0.0.1']);
  for (const address of ['10.20.3.4', '::ffff:10.20.3.4', 'fd12::5', '127.0.0.1', '::ffff:7f00:1'])
    for (const protocol of ['http:', 'https:'] as const) expect(lab.allows(address, protocol)).toBe(true);
  for (const address of ['10.21.0.1', '127.0.0.2', 'fd13::1', '::1', '169.254.169.254'])
    expect(lab.allows(address, 'https:')).toBe(false);
});

test.each(['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0/8', 'lab.example', '10.0.0.0/x'])(
  'the network %s is refused, naming it',
  (network) => {
    const create = () => new AddressRules([network]);
    expect(create).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(network) }),
    );
  },
);

describe('requests', () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(302, { location: '/there' }).end();
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': 10 }).end('cut', () => response.destroy());
    else response.writeHead(200, { 'x-a': '1' }).end('hello');
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());

  const options = { method: 'GET', headers: {}, signal: new AbortController().signal } as const;
  const get = (address: string, networks: readonly string[]) =>
    guardedFetch(networks)(new URL(address), options);

  test.each([
    ...['http://127.0.0.1', 'http://2130706433', 'http://0x7f.1', 'http://0177.0.0.1', 'http://127.1'],
    ...[
      'http://localhost',
      'http://[::ffff:127.0.0.1]',
      'http://[::1]',
      'https://127.0.0.1',
      'https://localhost.',
    ],
    ...['https://0', 'https://169.254.169.254', 'https://no-such-name.invalid', 'ftp://127.0.0.1'],
  ])('%s is refused before anything is sent', async (address) => {
    const before = asked.length;
    await expect(get(`${address}:${port}/`, [])).rejects.toMatchObject({ code: 'source_not_allowed' });
    expect(asked.length).toBe(before);
  });

  test('names that do not exist and names of private addresses are refused in the same words', async () => {
    const refusal = (host: string) =>
      get(`https://${host}/`, []).catch(({ message }: Error) => message.replace(host, 'HOST'));
    expect(await refusal('localhost')).toBe(await refusal('no-such-name.invalid'));
  });

  test('an allowed address is read, redirects are left to the caller, and a cut answer fails', async () => {
    const address = `http://localhost:${port}`;
    const lab = ['127.0.0.0/8', '::1'];
    const answer = await get(`${address}/a`, lab);
    expect([answer.status, answer.headers.get('x-a'), await answer.text()]).toEqual([200, '1', 'hello']);
    const moved = await get(`${address}/moved`, lab);
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/there']);
    await moved.text();
    await expect(get(`${address}/cut`, lab).then((cut) => cut.text())).rejects.toThrow();
  });
});
