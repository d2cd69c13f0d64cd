import { AssayError } from '#core';

/** Throws `usage` if the path is an address such as `https://…`, for commands that only read local paths. */
export function requireLocalPath(path: string, command: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return;
  throw new AssayError('usage', `${command} reads local paths only`, {
    advice:
      'download the recordings and pass their folder; assay assess and assay inspect read hf:// and https:// addresses',
  });
}
