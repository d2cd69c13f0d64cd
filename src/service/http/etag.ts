import { sha256 } from '#core';

/** Returns a strong entity tag: the quoted first 32 hex digits of the SHA-256. */
export function etagOf(body: string | Uint8Array): string {
  return `"${sha256(body).slice(0, 32)}"`;
}

/** Returns whether `If-None-Match` contains `etag` or is `*`; compared weakly (RFC 9110, 13.1.2). */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => opaque(tag) === opaque(etag));
}
