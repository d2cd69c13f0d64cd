/** Result of verifying a document's seal in this browser. */
export type SealState =
  | { readonly state: 'holds'; readonly hash: string }
  | { readonly state: 'broken'; readonly hash: string; readonly sealed: string }
  | { readonly state: 'not_assessable'; readonly reason: string };

/**
 * Verifies the seal of a receipt or report by recomputing it (SHA-256 over its canonical JSON without the seal):
 * `holds`, `broken`, or `not_assessable` without a seal or Web Crypto.
 */
export async function checkSeal(document: Readonly<Record<string, unknown>>): Promise<SealState> {
  const { content_hash: sealed, ...content } = document;
  if (typeof sealed !== 'string') return { state: 'not_assessable', reason: 'no content hash' };
  // Pages over plain HTTP have no Web Crypto.
  if (globalThis.crypto?.subtle === undefined)
    return {
      state: 'not_assessable',
      reason: 'browsers can compute hashes only on HTTPS or localhost pages',
    };
  const bytes = new TextEncoder().encode(canonicalJson(content));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hash === sealed ? { state: 'holds', hash } : { state: 'broken', hash, sealed };
}

/**
 * Serialises a value as canonical JSON (RFC 8785), without members that are `undefined`; for browsers, which have no
 * Node modules. Members are in the order of their UTF-16 units; numbers and texts as ECMAScript writes them.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
