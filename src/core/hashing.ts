import { hash } from 'node:crypto';

/** Lower-case hexadecimal SHA-256 of a text (as UTF-8) or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
