import { AssayError } from '#core';

/** Throws `usage` if the path is an address such as `https://…`, for commands that only read local paths. */
export function requireLocalPath(path: string, command: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return;
  throw new AssayError('usage', `${command} reads no addresses`, {
    advice: 'copy the recordings here and name the folder; assay assess and assay inspect read addresses',
  });
}
