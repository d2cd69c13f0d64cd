import { sha256 } from '#core';

/** A strong entity tag of the bytes. */
export function etagOf(body: string | Uint8Array): string {
  return `"${sha256(body).slice(0, 32)}"`;
}

/** Whether one of `If-None-Match` is `etag`, compared weakly (RFC 9110, 13.1.2). */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => opaque(tag) === opaque(etag));
}
