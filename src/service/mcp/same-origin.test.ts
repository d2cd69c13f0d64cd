import { expect, it } from 'vitest';
import { requireSameOrigin } from './endpoint.ts';

const asked = (origin: string | undefined, host: string, localAddress: string) => ({
  headers: { host, ...(origin === undefined ? {} : { origin }) },
  socket: { localAddress },
});

it.each([
  ['a program', undefined, 'evil.example', '127.0.0.1', false],
  [
    'a page of the service on this machine',
    'http://localhost:8420',
    'localhost:8420',
    '::ffff:127.0.0.1',
    false,
  ],
  ['a page of the service by address', 'http://[::1]:8420', '[::1]:8420', '::1', false],
  ['a page of a service elsewhere', 'https://assay.example', 'assay.example', '10.0.0.7', false],
  ['a page behind a proxy', 'https://assay.example', 'assay.example', '127.0.0.1', true],
])('lets %s in', (_, origin, host, address, proxy) => {
  expect(() => requireSameOrigin(asked(origin, host, address), proxy)).not.toThrow();
});

it.each([
  ['of another site', 'https://evil.example', 'localhost:8420', '127.0.0.1', false],
  ['whose name leads here', 'http://evil.example', 'evil.example', '127.0.0.1', false],
  ['of another site behind a proxy', 'https://evil.example', 'assay.example', '127.0.0.1', true],
  ['without a name', 'null', 'localhost:8420', '127.0.0.1', false],
])('refuses a page %s', (_, origin, host, address, proxy) => {
  expect(() => requireSameOrigin(asked(origin, host, address), proxy)).toThrow(/other sites/);
});
