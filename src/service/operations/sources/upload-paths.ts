import { AssayError } from '#core';

/** Where the files of an upload lie among the blobs. */
export const uploadFolder = (tenant_id: string, source_id: string): string =>
  `${tenant_id}/sources/${source_id}`;

const longestName_bytes = 255;
const longestPath_bytes = 700;
const unfit = /[\p{Cc}\\]/u;

/** Throws `invalid_request` for a path that could name anything but one file below its upload's folder. */
export function checkUploadPath(path: string, pointer: string): void {
  const wrong = wrongWith(path);
  if (wrong === null) return;
  const message = `the path ${JSON.stringify(path.slice(0, 200))} ${wrong}`;
  throw new AssayError('invalid_request', message, {
    advice: 'send paths as they are below the uploaded folder, divided by /',
    details: { errors: [{ pointer, message }] },
  });
}

function wrongWith(path: string): string | null {
  if (Buffer.byteLength(path) > longestPath_bytes) return `is longer than ${longestPath_bytes} bytes`;
  if (unfit.test(path) || !path.isWellFormed()) return 'has characters that no path may have';
  if (/^[a-z]:/i.test(path)) return 'starts with a drive';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..')
      return 'is absolute, or has an empty name, . or .. in it';
    if (Buffer.byteLength(name) > longestName_bytes)
      return `has a name longer than ${longestName_bytes} bytes`;
  }
  return null;
}

/** Throws `invalid_request` where one file's path is another's folder: no file system can hold both. */
export function checkPathsAgree(paths: readonly string[], pointer: string): void {
  const files = new Set(paths);
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (!files.has(path.slice(0, at))) continue;
      const message = `${path.slice(0, at)} is both a file and the folder of ${path}`;
      throw new AssayError('invalid_request', message, { details: { errors: [{ pointer, message }] } });
    }
  }
}
