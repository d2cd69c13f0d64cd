import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runAssay } from './run-assay.ts';

test('--version says the version of the program and that of the contract, for people and for programs', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { info } = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const people = await runAssay(['--version']);
  expect(people.out).toBe(`${version} (contract v1, ${info.version}; Node ${process.versions.node})\n`);
  const programs = await runAssay(['--version', '--json']);
  expect(JSON.parse(programs.out)).toEqual({
    version,
    contract: { api: 'v1', version: info.version },
    node: process.versions.node,
  });
  expect((await runAssay(['--version', 'assess'])).out).toBe(people.out);
  const odd = await runAssay(['--version', '--yaml']);
  expect([odd.code, odd.out, odd.err]).toEqual([2, '', expect.stringContaining("unknown option '--yaml'")]);
});
