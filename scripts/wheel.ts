/**
 * Writes the wheel that `pip install` installs, for the platform that this runs on: `node scripts/wheel.ts [FOLDER]`. It carries
 * the packed program with its libraries; Node comes as another wheel. `ASSAY_WHEEL_PYTHON` names a Python with `build` and
 * `hatchling`; absent: `python3`. Needs no network.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installBeside } from './bundle/install-beside.ts';

/** As pip names platforms. Linux: the newest glibc that a binary in it wants is 2.28. */
const platforms: Readonly<Record<string, string>> = {
  'linux-x64': 'manylinux_2_28_x86_64',
  'linux-arm64': 'manylinux_2_28_aarch64',
  'darwin-arm64': 'macosx_13_0_arm64',
  'darwin-x64': 'macosx_13_0_x86_64',
  'win32-x64': 'win_amd64',
};

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const folder = resolve(process.argv[2] ?? join(root, 'packed'));
const here = `${process.platform}-${process.arch}`;
const platform = platforms[here];
if (platform === undefined) throw new Error(`there is no wheel for ${here}`);
const work = mkdtempSync(join(tmpdir(), 'assay-wheel-'));
try {
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];
  execFileSync(process.execPath, [join(root, 'scripts/pack.ts'), work], { stdio });
  const [tarball] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
  const program = join(work, 'program');
  installBeside(root, join(work, tarball), program, new Set(['node']));
  addOnnx(program);
  mkdirSync(folder, { recursive: true });
  const python = process.env.ASSAY_WHEEL_PYTHON ?? 'python3';
  const build = ['-m', 'build', '--wheel', '--no-isolation', '--outdir', folder, join(root, 'python')];
  const env = { ...process.env, ASSAY_WHEEL_PROGRAM: program, ASSAY_WHEEL_PLATFORM: platform };
  execFileSync(python, build, { stdio, env });
  for (const name of readdirSync(folder).filter((name) => name.endsWith(`${platform}.whl`)))
    process.stdout.write(
      `${join(folder, name)}: ${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB\n`,
    );
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Adds the ONNX runtime without the binaries of other platforms, because pip alone could not install it. */
function addOnnx(program: string): void {
  const binaries = join('onnxruntime-node/bin/napi-v6', process.platform, process.arch);
  for (const part of [
    'onnxruntime-node/package.json',
    'onnxruntime-node/dist',
    binaries,
    'onnxruntime-common',
  ])
    cpSync(join(root, 'node_modules', part), join(program, 'node_modules', part), { recursive: true });
}
