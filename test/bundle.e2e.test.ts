import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAssay } from './run-assay.ts';
import { detectorEnv } from './support/bundled-detector.ts';
import { installPackage } from './support/installed-package.ts';
import { writeMixedRecordings } from './support/mixed-recordings.ts';
import { writtenIn } from './support/same-bytes.ts';
import { startServiceProcess } from './support/service-process.ts';
import { rounds } from './support/tiers.ts';

const slow_ms = 900_000;
const fromRegistry = rounds(0, 1) === 1;
const checkout = { program: join(process.cwd(), 'bin/assay') };

describe(`the package that is published, installed ${fromRegistry ? 'by npm' : 'beside what it names'}`, () => {
  const top = mkdtempSync(join(tmpdir(), 'assay-bundle-test-'));
  const folder = join(top, 'empty');
  const own = join(folder, 'node_modules/assay');
  let program: string;
  let recordings: string;

  beforeAll(async () => {
    pack(join(top, 'packed'));
    const [tarball] = readdirSync(join(top, 'packed'));
    mkdirSync(folder);
    program = installPackage(join(top, 'packed', tarball), folder, fromRegistry);
    recordings = await writeMixedRecordings(top);
  }, slow_ms);
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  it('names every library that the bundle leaves out, and nothing of this repository', () => {
    const { dependencies, optionalDependencies, peerDependencies, bin } = JSON.parse(
      readFileSync(join(own, 'package.json'), 'utf8'),
    );
    const named = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    const imported = [...writtenIn(join(own, 'dist'))]
      .filter(([name]) => name.endsWith('.js') && !name.startsWith('assets/'))
      .flatMap(([, code]) => [
        ...code.toString().matchAll(/^(?:import|export) [^'"]*"((?:@[\w-]+\/)?[\w-]+)(?:\/[^"]*)?";?$/gm),
        ...code.toString().matchAll(/\brequire(?:\$\d+)?\("((?:@[\w-]+\/)?[\w-]+)"\)/g),
      ])
      .map(([, library]) => library);
    expect(imported).toContain('sharp');
    expect(
      [...new Set(imported)].filter(
        (library) => !(library in named) && !isBuiltin(library) && library !== 'node',
      ),
    ).toEqual([]);
    expect(Object.keys(named).filter((name) => name.startsWith('@assay/'))).toEqual([]);
    expect(bin).toEqual({ assay: 'bin/assay' });
  });

  it('starts under the Node of the host', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const said = execFileSync(join(folder, 'node_modules/assay/bin/assay'), ['--version'], {
      encoding: 'utf8',
    });
    expect(said).toMatch(`${version} (contract v1, `);
    expect(said).toMatch(/Node 2[4-9]\./);
    const help = await runAssay(['--help'], { program });
    expect(help).toEqual(await runAssay(['--help'], checkout));
    expect(help.out).toContain('Exit codes:');
  });

  it('writes the bytes that the checkout writes, video and all', { timeout: slow_ms }, async () => {
    const [ours, theirs] = [join(top, 'checkout'), join(top, 'published')];
    const args = ['assess', recordings, '--no-cache', '--out'];
    const ran = await runAssay([...args, ours], checkout);
    const published = await runAssay([...args, theirs], { program });
    expect(published.err).not.toContain('Error');
    expect(published.code).toBe(ran.code);
    expect(writtenIn(join(theirs, 'receipts'))).toEqual(writtenIn(join(ours, 'receipts')));
    expect(readFileSync(join(theirs, 'index.html'))).toEqual(readFileSync(join(ours, 'index.html')));
  });

  it('runs the models that it brings', { timeout: slow_ms }, async () => {
    const pictures = join(top, 'pictures');
    mkdirSync(pictures);
    for (const name of ['one', 'two'])
      await sharp({
        create: {
          width: 320,
          height: 240,
          channels: 3,
          background: 'teal',
          noise: { type: 'gaussian', mean: 128, sigma: 40 },
        },
      })
        .jpeg()
        .toFile(join(pictures, `${name}.jpg`));
    const args = (out: string) => [
      'annotate',
      pictures,
      '--layers',
      'object_labels',
      '--out',
      join(top, out),
    ];
    const ran = await runAssay(args('labels-checkout'), { ...checkout, env: detectorEnv });
    const published = await runAssay(args('labels-published'), { program, env: detectorEnv });
    expect([published.err, published.code]).toEqual([expect.any(String), ran.code]);
    expect(ran.code).toBe(0);
    expect(writtenIn(join(top, 'labels-published'))).toEqual(writtenIn(join(top, 'labels-checkout')));
    const models = await runAssay(['models', 'list'], { program });
    expect([models.code, models.out]).toEqual([0, expect.stringContaining('onnxruntime-node')]);
  });

  it('serves the web application, the reference and the interface', { timeout: slow_ms }, async () => {
    const service = await startServiceProcess({ data: join(top, 'data'), program });
    expect(await service.ask('GET', '/v1/projects')).toEqual({ items: [], next_cursor: null });
    const page = await (await fetch(`${service.address}/`)).text();
    const script = /<script[^>]* src="([^"]+)"/.exec(page)?.[1];
    for (const path of [script, '/docs/reference.js']) {
      const answer = await fetch(`${service.address}${path}`);
      expect(answer.status).toBe(200);
      expect((await answer.text()).length).toBeGreaterThan(100_000);
    }
    expect(await service.stop()).toBe(0);
  });
});

/** Packs the bundle that the tests start, as CI made it, or else a new one. */
function pack(folder: string): void {
  const bundled = process.env.ASSAY_TEST_PROGRAM;
  mkdirSync(folder);
  if (bundled === undefined) execFileSync(process.execPath, ['scripts/pack.ts', folder]);
  else
    execFileSync('npm', [
      'pack',
      join(dirname(bundled), '..'),
      '--pack-destination',
      folder,
      '--loglevel=error',
    ]);
}
