import { AssayError } from '#core';

/** Returns the blob folder of an upload's files. */
export const uploadFolder = (tenant_id: string, source_id: string): string =>
  `${tenant_id}/sources/${source_id}`;

const maxName_bytes = 255;
const maxPath_bytes = 700;
const forbiddenChars = /[\p{Cc}\\]/u;

/** Throws `invalid_request` unless the path names one file below the upload's folder. */
export function checkUploadPath(path: string, pointer: string): void {
  const wrong = explainPathProblem(path);
  if (wrong === null) return;
  const message = `the path ${JSON.stringify(path.slice(0, 200))} ${wrong}`;
  throw new AssayError('invalid_request', message, {
    advice: 'send paths relative to the uploaded folder, separated by /',
    details: { errors: [{ pointer, message }] },
  });
}

function explainPathProblem(path: string): string | null {
  if (Buffer.byteLength(path) > maxPath_bytes) return `is longer than ${maxPath_bytes} bytes`;
  if (forbiddenChars.test(path) || !path.isWellFormed()) return 'contains invalid characters';
  if (/^[a-z]:/i.test(path)) return 'starts with a drive letter';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'is absolute or contains an empty name, . or ..';
    if (Buffer.byteLength(name) > maxName_bytes) return `has a name longer than ${maxName_bytes} bytes`;
  }
  return null;
}

/** Throws `invalid_request` if the path of one file is the folder of another, which no file system can hold. */
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
