import type { HttpClient } from '../http-client.ts';
import { addressOf, type WebEntry } from '../web-listing.ts';
import { again, readPage } from './page.ts';

/** Asked for with the size of a file: RFC 9530; some servers know the header of RFC 3230 alone. */
export const wantsHash = { 'want-repr-digest': 'sha-256=10', 'want-digest': 'sha-256' } as const;

/** The SHA-256 of a whole file as an answer tells it, in hexadecimal; null where it tells none. */
export function hashIn(headers: Headers): string | null {
  const said =
    /(?:^|,)\s*sha-256\s*=\s*:([A-Za-z0-9+/=]+):/i.exec(headers.get('repr-digest') ?? '')?.[1] ??
    /(?:^|,)\s*sha-256\s*=\s*([A-Za-z0-9+/=]+)/i.exec(headers.get('digest') ?? '')?.[1];
  const bytes = Buffer.from(said ?? '', 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : null;
}

/** What `sha256sum` writes of a folder, beside its files. */
const sumsName = 'SHA256SUMS';

/** Files whose hash no answer told get that of the folder's list, where it has one. */
export async function withSums(
  client: HttpClient,
  base: URL,
  entries: readonly WebEntry[],
): Promise<readonly WebEntry[]> {
  if (!entries.some(({ path }) => path === sumsName)) return entries;
  const page = await again(() => readPage(client, addressOf(base, sumsName), 'text/plain'));
  if (page.status !== 200) return entries;
  const sums = sumsIn(page.text);
  return entries.map((entry) => ({ ...entry, sha256: entry.sha256 ?? sums.get(entry.path) ?? null }));
}

/** A line a file: its hash, and its path behind a space and a space or a star. */
function sumsIn(text: string): Map<string, string> {
  const lines = text.matchAll(/^([0-9a-fA-F]{64}) [ *](?:\.\/)?(.+?)\r?$/gm);
  return new Map([...lines].map(([, hash, path]) => [path, hash.toLowerCase()]));
}
