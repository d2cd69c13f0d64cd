import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** The absolute path of a file under the root, or null where there is none or it lies outside. */
export function inside(root: string, path: string): string | null {
  try {
    const top = realpathSync(root);
    const real = realpathSync(resolve(top, path));
    return real.startsWith(top.endsWith(sep) ? top : top + sep) ? real : null;
  } catch {
    return null;
  }
}
