/** What became of holding a document against its seal in this browser. */
export type SealState =
  | { readonly state: 'holds'; readonly hash: string }
  | { readonly state: 'broken'; readonly hash: string; readonly sealed: string }
  | { readonly state: 'not_assessable'; readonly reason: string };

/** Recomputes the seal of a receipt or a report: SHA-256 over its canonical JSON without the seal. */
export async function checkSeal(document: Readonly<Record<string, unknown>>): Promise<SealState> {
  const { content_hash: sealed, ...content } = document;
  if (typeof sealed !== 'string') return { state: 'not_assessable', reason: 'it has no seal' };
  // Not on every page: a page over plain HTTP has none.
  if (globalThis.crypto?.subtle === undefined)
    return { state: 'not_assessable', reason: 'browsers hash only on pages over HTTPS or of this machine' };
  const bytes = new TextEncoder().encode(canonicalJson(content));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hash === sealed ? { state: 'holds', hash } : { state: 'broken', hash, sealed };
}

/** RFC 8785: members in the order of their UTF-16 units; numbers and texts as ECMAScript writes them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
