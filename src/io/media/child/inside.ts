import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** What a path says that leads to no file. */
const nowhere = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/**
 * The absolute path of a file under the root, or null where there is none or it lies outside of `within`. Throws where
 * the system does not say.
 */
export function inside(root: string, path: string, within = root): string | null {
  try {
    const top = realpathSync(within);
    const real = realpathSync(resolve(realpathSync(root), path));
    return real.startsWith(top.endsWith(sep) ? top : top + sep) ? real : null;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && nowhere.has(String(thrown.code))) return null;
    throw thrown;
  }
}
