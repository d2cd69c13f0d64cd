import { AssayError, idPattern } from '#core';

export interface NewFile {
  readonly source_id: string;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** What a creating request says of its file. Throws `invalid_request` naming every member that is missing or wrong. */
export function newFile(
  headers: { get(name: string): string | null },
  metadata: Readonly<Record<string, string | null>> = {},
): NewFile {
  const { source_id, path, sha256 } = metadata;
  const bytes = Number(headers.get('upload-length'));
  const errors: { pointer: string; message: string }[] = [];
  const say = (name: string, message: string) =>
    errors.push({ pointer: `/headers/upload-metadata/${name}`, message });
  if (source_id === null || source_id === undefined || !idPattern('src').test(source_id))
    say('source_id', 'the id of an open upload');
  if (path === null || path === undefined || path === '')
    say('path', 'where the file lies below the uploaded folder');
  if (sha256 === null || sha256 === undefined || !/^[0-9a-f]{64}$/.test(sha256))
    say('sha256', 'the SHA-256 of the whole file, 64 lower-case hexadecimal digits');
  if (errors.length === 0 && source_id && path && sha256) return { source_id, path, sha256, bytes };
  const named = errors.map(({ pointer }) => pointer.slice(pointer.lastIndexOf('/') + 1)).join(', ');
  throw new AssayError('invalid_request', `Upload-Metadata lacks what a file needs: ${named}`, {
    advice: 'send Upload-Metadata: source_id <base64>, path <base64>, sha256 <base64>',
    details: { errors },
  });
}
