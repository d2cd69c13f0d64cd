import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text (as UTF-8) or of bytes, in lower-case hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
