import { AssayError } from '#core';

/** For commands that take paths alone: an address is told apart from a path that is not there. */
export function demandNoAddress(path: string, command: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return;
  throw new AssayError('usage', `${command} reads no addresses`, {
    advice: 'copy the recordings here and name the folder; assay assess and assay inspect read addresses',
  });
}
