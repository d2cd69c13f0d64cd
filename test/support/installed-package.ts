import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installBeside } from '../../scripts/bundle/install-beside.ts';

/** Installs a packed tarball into an empty folder, by npm itself or from the packages of this checkout. Gives the program. */
export function installPackage(tarball: string, folder: string, byNpm: boolean): string {
  if (!byNpm) return installBeside(process.cwd(), tarball, folder);
  const npm = ['install', tarball, '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  execFileSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'node_modules/assay/bin/assay');
}
