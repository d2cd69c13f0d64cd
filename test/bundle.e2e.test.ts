import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAssay } from './run-assay.ts';
import { writeMixedRecordings } from './support/mixed-recordings.ts';
import { writtenIn } from './support/same-bytes.ts';
import { startServiceProcess } from './support/service-process.ts';

const slow_ms = 300_000;

describe('the package that is published', () => {
  const top = mkdtempSync(join(tmpdir(), 'assay-bundle-test-'));
  const folder = join(top, 'package');
  const program = join(folder, 'bin/assay');
  let recordings: string;

  beforeAll(async () => {
    execFileSync(process.execPath, ['scripts/bundle.ts', folder]);
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    recordings = await writeMixedRecordings(top);
  }, slow_ms);
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  it('names every library that the bundle leaves out, and no package of this repository', () => {
    const { dependencies, optionalDependencies, bin } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const imported = [...writtenIn(join(folder, 'dist'))]
      .filter(([name]) => name.endsWith('.js') && !name.startsWith('assets/'))
      .flatMap(([, code]) => [
        ...code.toString().matchAll(/(?:from|import\() ?"((?:@[\w-]+\/)?[\w-]+)[^"]*"/g),
      ])
      .map(([, library]) => library);
    const missing = new Set(
      imported.filter(
        (library) => !(library in { ...dependencies, ...optionalDependencies }) && library !== 'node',
      ),
    );
    expect([...missing]).toEqual([]);
    expect(bin).toEqual({ assay: 'bin/assay' });
  });

  it('writes the bytes that the checkout writes, video and all', { timeout: slow_ms }, async () => {
    const [ours, theirs] = [join(top, 'checkout'), join(top, 'published')];
    const args = ['assess', recordings, '--no-cache', '--out'];
    const checkout = await runAssay([...args, ours]);
    const published = await runAssay([...args, theirs], { program });
    expect(published.code).toBe(checkout.code);
    expect(writtenIn(join(theirs, 'receipts'))).toEqual(writtenIn(join(ours, 'receipts')));
    expect(readFileSync(join(theirs, 'index.html'))).toEqual(readFileSync(join(ours, 'index.html')));
  });

  it('serves, with its migrations and threads', { timeout: slow_ms }, async () => {
    const service = await startServiceProcess({ data: join(top, 'data'), program });
    expect(await service.ask('GET', '/v1/projects')).toEqual({ items: [], next_cursor: null });
    expect(await service.stop()).toBe(0);
  });
});
