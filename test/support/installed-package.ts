import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
}

/**
 * Installs a packed tarball into an empty folder as npm does, from the packages of this checkout instead of a registry:
 * what the tarball does not name is not there. `fromRegistry` asks npm itself. Gives the program.
 */
export function installPackage(tarball: string, folder: string, fromRegistry: boolean): string {
  const own = join(folder, 'node_modules/assay');
  mkdirSync(own, { recursive: true });
  if (fromRegistry) {
    const npm = ['install', tarball, '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
    execFileSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } else {
    execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
    const { dependencies, optionalDependencies, bundleDependencies = [] } = manifestOf(own);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      if (!bundleDependencies.includes(name)) copyWithAll(name, join(folder, 'node_modules'));
  }
  return join(own, 'bin/assay');
}

/** A package of this checkout, and all that it wants; binaries of other platforms are not there to be copied. */
function copyWithAll(name: string, modules: string): void {
  const from = join('node_modules', name);
  const to = join(modules, name);
  if (existsSync(to) || !existsSync(from)) return;
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const { dependencies, optionalDependencies } = manifestOf(from);
  for (const wanted of Object.keys({ ...dependencies, ...optionalDependencies }))
    copyWithAll(wanted, modules);
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
