import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AssayError, wrapReadError } from '#core';

/**
 * Resolves a path below `root`, following links. Throws `not_permitted` if it leaves `root`, `not_found` if it is
 * missing.
 */
export async function pathWithin(root: string, path: string): Promise<string> {
  const whole = await real(root);
  if (path === '' || path === '.') return root;
  const found = await real(join(root, path));
  if (found === whole || found.startsWith(whole.endsWith(sep) ? whole : whole + sep)) return found;
  throw new AssayError('not_permitted', `${path} is outside the folder that was opened`, {
    path,
    advice: 'use a path relative to that folder, without ..',
  });
}

const real = (path: string): Promise<string> =>
  realpath(path).catch((thrown: unknown) => {
    throw wrapReadError(thrown, path);
  });
