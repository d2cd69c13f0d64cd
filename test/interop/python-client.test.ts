import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { onPeers, peersPython as python } from '../support/peers.ts';
import { joinSharedService } from '../support/shared-service.ts';
import { isNightly } from '../support/tiers.ts';

const set = resolve('../shared/data/lerobot-v20-gr00t-pick-place');
const client = resolve('clients/python');
const isPresent = existsSync(set);
const title = isPresent
  ? onPeers('the client for Python')
  : 'the client for Python (skipped: no ../shared/data)';

/** Runs a Python module and returns its standard output. Throws if it exits with a code other than 0. */
function runModule(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr } = spawnSync(python ?? '', ['-m', ...args], {
    cwd: client,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: join(client, 'src'), PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

describe.skipIf(!python || !isPresent)(title, () => {
  it('is typed throughout', async () => {
    const cache = await temporaryFolder();
    expect(runModule(['mypy', '--cache-dir', cache, 'src', 'tests'])).toContain('no issues found');
  }, 240_000);

  it('does what the service offers', async () => {
    const { address, token, recordings } = await joinSharedService();
    const copy = join(recordings, 'set');
    cpSync(set, copy, { recursive: true });
    const env = { ASSAY_ADDRESS: address, ASSAY_TOKEN: token, ASSAY_TEST_SET: copy };
    expect(runModule(['pytest', '-q', '-p', 'no:cacheprovider', 'tests'], env)).toContain('6 passed');
  }, 240_000);

  if (isNightly) {
    it('installs as a wheel that brings its types', async () => {
      const folder = await temporaryFolder();
      runModule(['build', '--wheel', '--no-isolation', '--outdir', folder, '.']);
      const target = join(folder, 'site');
      const [wheel] = ['assay_client-0.1.0-py3-none-any.whl'];
      runModule(['pip', 'install', '--quiet', '--no-deps', '--target', target, join(folder, wheel)]);
      expect(existsSync(join(target, 'assay_client/py.typed'))).toBe(true);
      const said = spawnSync(python ?? '', ['-c', 'import assay_client; print(assay_client.__file__)'], {
        encoding: 'utf8',
        env: { ...process.env, PYTHONPATH: target },
      });
      expect(said.stdout).toContain(target);
    }, 240_000);
  }
});
