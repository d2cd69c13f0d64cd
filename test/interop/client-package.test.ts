import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, noBrowser, openBrowser } from '../report-browser.ts';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { joinSharedService, type SharedService } from '../support/shared-service.ts';

const slow_ms = 900_000;
/** Folder with the Node versions that `install-nodes.sh` installed, one subfolder each. */
const installed = process.env.ASSAY_TEST_NODES;
const nodes =
  installed === undefined
    ? [['that runs the tests', process.execPath]]
    : readdirSync(installed)
        .filter((name) => /^\d/.test(name))
        .map((name) => [name, join(resolve(installed), name, 'bin/node')]);
const onlyOwn = installed === undefined ? ' (other versions skipped: set ASSAY_TEST_NODES)' : '';

let folder: string;
let service: SharedService;
const at = (path: string) => join(folder, path);
/** Expected output of a program that uses the client, the same in every runtime. */
const learned = { names: ['first', 'second'], refused: ['not_found', true], follows: 'function' };

beforeAll(async () => {
  service = await joinSharedService();
  folder = await temporaryFolder();
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', [...args, '--loglevel=error'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  npm('clients/typescript', 'pack', '--pack-destination', folder);
  const [tarball] = readdirSync(folder);
  writeFileSync(at('package.json'), '{ "type": "module" }');
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', at(tarball));
  writeFileSync(at('use.js'), use);
  writeFileSync(at('run.js'), run);
  writeFileSync(at('require.cjs'), required);
  writeFileSync(at('page.html'), page('/node_modules/@assay/client/dist/index.js'));
  writeFileSync(at('bundled.html'), page('@assay/client'));
}, slow_ms);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the package of the client holds JavaScript with declarations, and no sources', () => {
  const files = readdirSync(at('node_modules/@assay/client'), { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']));
  expect(files.filter((file) => /(?<!\.d)\.tsx?$|test/.test(file))).toEqual([]);
  const { private: isPrivate, dependencies } = JSON.parse(
    readFileSync(at('node_modules/@assay/client/package.json'), 'utf8'),
  );
  expect([isPrivate, dependencies]).toEqual([undefined, undefined]);
});

describe.each(nodes)(`the client that npm installed, in Node %s${onlyOwn}`, (_version, node) => {
  it('works as a module', { timeout: slow_ms }, () => {
    const out = execFileSync(node, [at('run.js'), service.address, service.token], { encoding: 'utf8' });
    expect(JSON.parse(out)).toEqual(learned);
  });

  it('can be required where Node can require modules', () => {
    const [major, minor] = execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1).split('.');
    if (Number(major) === 20 && Number(minor) < 19) return;
    expect(execFileSync(node, [at('require.cjs')], { encoding: 'utf8' })).toBe('function');
  });
});

describe.skipIf(!chromiumPath)(`the client that npm installed, in a browser${noBrowser}`, () => {
  it('works in a page without a bundler', { timeout: slow_ms }, async () => {
    expect(await openPage(folder, 'page.html')).toEqual(learned);
  });

  it('works in what a bundler makes', { timeout: slow_ms }, async () => {
    const vite = resolve('node_modules/vite/bin/vite.js');
    execFileSync(process.execPath, [vite, 'build', '--outDir', 'out', '--logLevel', 'error'], {
      cwd: writeBundlerProject(),
      stdio: 'inherit',
    });
    expect(await openPage(at('bundler/out'), 'index.html')).toEqual(learned);
  });
});

describe.each(['typescript', 'typescript-native'])('the types for the compiler %s', (compiler) => {
  it.each([
    ['Node', { module: 'nodenext', lib: ['es2022'], types: ['node'] }],
    [
      'browsers',
      { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    ],
  ])('are those of %s', { timeout: slow_ms }, (_place, options) => {
    linkNodeTypes();
    writeFileSync(at('typed.ts'), typed);
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', ...options };
    writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    const tsc = resolve('node_modules', compiler, 'bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});

/** A page of the service's origin whose files lie in a folder; gives what its script learned. */
async function openPage(root: string, path: string): Promise<unknown> {
  const context = await openBrowser();
  context.setDefaultTimeout(slow_ms);
  try {
    await context.route(`${service.address}/**`, (route, request) => {
      const { pathname } = new URL(request.url());
      return pathname.startsWith('/v1/') ? route.continue() : route.fulfill({ path: join(root, pathname) });
    });
    const opened = await context.newPage();
    const failed = new Promise<never>((_resolve, reject) => opened.on('pageerror', reject));
    await opened.goto(`${service.address}/${path}#${service.token}`);
    const told = opened.waitForFunction('globalThis.learned');
    return await (await Promise.race([told, failed])).jsonValue();
  } finally {
    await context.close();
  }
}

function writeBundlerProject(): string {
  mkdirSync(at('bundler'));
  cpSync(at('use.js'), at('bundler/use.js'));
  cpSync(at('bundled.html'), at('bundler/index.html'));
  return at('bundler');
}

function linkNodeTypes(): void {
  mkdirSync(at('node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    rmSync(at(`node_modules/${name}`), { force: true });
    symlinkSync(resolve('node_modules', name), at(`node_modules/${name}`));
  }
}

const use = `export async function use({ all, AssayApiError, createClient }, address, token) {
  const client = createClient({ address, token });
  for (const name of ['first', 'second'])
    await client.workspaces.create({ name: name + '-' + crypto.randomUUID(), use_case: 'robotic-manipulation' });
  const names = [];
  for await (const { name } of all(client.workspaces.list, { limit: 1 })) names.push(name.split('-')[0]);
  const refused = await client.runs.get({ run_id: 'run_' + '0'.repeat(26) }).catch((thrown) => thrown);
  return {
    names: [...new Set(names)].sort(),
    refused: [refused.code, refused instanceof AssayApiError],
    follows: typeof client.copilot.chat,
  };
}
`;

const run = `import * as assay from '@assay/client';
import { use } from './use.js';
const [address, token] = process.argv.slice(2);
console.log(JSON.stringify(await use(assay, address, token)));
`;

const required = `process.stdout.write(typeof require('@assay/client').createClient);`;

const page = (module: string) => `<!doctype html>
<title>A page that uses the client</title>
<script type="module">
  import * as assay from '${module}';
  import { use } from './use.js';
  globalThis.learned = await use(assay, location.origin, location.hash.slice(1));
</script>
`;

const typed = `import { all, type AssayClient, createClient, type Project } from '@assay/client';

export async function names(client: AssayClient = createClient({ address: 'http://assay', token: async () => 'asy_x' })) {
  const projects: Project[] = [];
  for await (const project of all(client.projects.list, { limit: 1 })) projects.push(project);
  // @ts-expect-error: the types know every member.
  await client.workspaces.create({ name: 'lab', use_case: 'no such' });
  const bytes: Response = await client.download('get_receipt', { episode_id: 'epi_1' });
  return { names: projects.map(({ name }): string => name), type: bytes.headers.get('content-type') };
}
`;
