import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
}

/**
 * Installs a packed tarball into `folder` as npm would, but from the packages of this checkout: the versions are those of
 * the lockfile, no network is needed, and what the tarball does not name is not there. `without` names what is left out.
 * Gives the program.
 */
export function installBeside(
  root: string,
  tarball: string,
  folder: string,
  without: ReadonlySet<string> = new Set(),
): string {
  const own = join(folder, 'node_modules/assay');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  const { bundleDependencies = [], ...manifest } = manifestOf(own);
  const there = new Set([...without, ...bundleDependencies]);
  for (const name of namesOf(manifest)) copyWithAll(join(root, 'node_modules'), name, folder, there);
  return join(own, 'bin/assay');
}

/** A package of this checkout, and all that it wants; binaries of other platforms are not there to be copied. */
function copyWithAll(modules: string, name: string, folder: string, there: Set<string>): void {
  const from = join(modules, name);
  if (there.has(name) || !existsSync(from)) return;
  there.add(name);
  cpSync(from, join(folder, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
  for (const wanted of namesOf(manifestOf(from))) copyWithAll(modules, wanted, folder, there);
}

const namesOf = ({ dependencies, optionalDependencies }: Manifest): string[] =>
  Object.keys({ ...dependencies, ...optionalDependencies });

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
