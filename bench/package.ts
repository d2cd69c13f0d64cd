import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

const help_ms = 300;
const wanted_mb = 250;

/** The tarball for npm: how large it is where it is installed, and how fast it answers. Wants the network, or npm's cache. */
export const packageBench: Bench = {
  id: 'package',
  title: 'The package: size where it is installed, and time of assay --help under the Node of the host',
  run: async ({ scratch, print }) => {
    const folder = join(scratch, 'package');
    rmSync(folder, { recursive: true, force: true });
    const installed = join(folder, 'installed');
    mkdirSync(installed, { recursive: true });
    execFileSync(process.execPath, ['scripts/pack.ts', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    const npm = ['install', join(folder, tarball), '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', npm, { cwd: installed, stdio: ['ignore', 'ignore', 'inherit'] });

    const tarball_mb = statSync(join(folder, tarball)).size / 1e6;
    const parts_mb = partsOf(join(installed, 'node_modules'));
    const installed_mb = Object.values(parts_mb).reduce((sum, size) => sum + size, 0);
    print(
      `  tarball ${tarball_mb.toFixed(0)} MB, installed ${installed_mb.toFixed(0)} MB (${wanted_mb} are wanted):`,
    );
    for (const [name, size] of Object.entries(parts_mb).sort(([, a], [, b]) => b - a))
      if (size >= 1) print(`    ${size.toFixed(0).padStart(4)} MB ${name}`);

    const bare = median(() => spawnSync('node', ['-e', '0']));
    const help = median(() => spawnSync(join(installed, 'node_modules/.bin/assay'), ['--help']));
    print(`  assay --help ${help.toFixed(0)} ms (at most ${help_ms} ms); node alone ${bare.toFixed(0)} ms`);
    return {
      passed: help <= help_ms,
      figures: { tarball_mb, installed_mb, parts_mb, help_ms: help, node_ms: bare },
    };
  },
};

/** Megabytes by package, scoped ones by scope. */
function partsOf(modules: string): Record<string, number> {
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  return Object.fromEntries(names.map((name) => [name, bytesIn(join(modules, name), new Set()) / 1e6]));
}

/** Room on the disk; a file that has two names counts once. */
function bytesIn(path: string, seen: Set<number>): number {
  const { ino, size, blocks } = lstatSync(path);
  if (seen.has(ino)) return 0;
  seen.add(ino);
  if (!lstatSync(path).isDirectory()) return blocks === undefined ? size : blocks * 512;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name), seen), 0);
}

/** Milliseconds, the middle of nine after one that warms up. */
function median(work: () => void): number {
  work();
  const times = Array.from({ length: 9 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
