import { AssayError, limits } from '#core';
import type { HttpClient } from '../http-client.ts';
import type { WebEntry } from '../web-listing.ts';
import { readJson } from './page.ts';

export interface HubDataset {
  readonly owner: string;
  readonly name: string;
  readonly revision: string;
}

/** The commit that a revision is now. Throws `not_found`, `not_permitted`, `storage_unavailable`. */
export async function commitOf(client: HttpClient, endpoint: string, dataset: HubDataset): Promise<string> {
  const { owner, name, revision } = dataset;
  const url = new URL(`${endpoint}/api/datasets/${owner}/${name}/revision/${encodeURIComponent(revision)}`);
  const { json } = await readJson(client, url);
  const sha = memberOf(json, 'sha');
  if (typeof sha === 'string' && /^[0-9a-f]{7,64}$/.test(sha)) return sha;
  throw notHub(endpoint);
}

/** Every file of a commit, a page at a time. */
export async function listCommit(
  client: HttpClient,
  endpoint: string,
  { owner, name }: HubDataset,
  commit: string,
): Promise<WebEntry[]> {
  const entries: WebEntry[] = [];
  const first = `${endpoint}/api/datasets/${owner}/${name}/tree/${commit}?recursive=true`;
  for (let url: URL | null = new URL(first); url !== null; ) {
    const { page, json } = await readJson(client, url);
    if (!Array.isArray(json)) throw notHub(endpoint);
    for (const row of json) entries.push(...entryOf(row));
    if (entries.length > limits.recordings.files.value)
      throw new AssayError('limit_exceeded', `more than ${limits.recordings.files.value} files`, {
        advice: 'copy the part that is wanted here, and name that',
      });
    const next = nextOf(page.headers.get('link'), url);
    if (next !== null && next.origin !== url.origin) throw notHub(endpoint);
    url = next;
  }
  return entries;
}

/** Large files are named by their SHA-256, small ones by their object in Git. */
function entryOf(row: unknown): WebEntry[] {
  const path = memberOf(row, 'path');
  const bytes = memberOf(row, 'size');
  const oid = memberOf(row, 'oid');
  if (memberOf(row, 'type') !== 'file' || typeof path !== 'string' || typeof oid !== 'string') return [];
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return [];
  const large = memberOf(memberOf(row, 'lfs'), 'oid');
  const sha256 = typeof large === 'string' && /^[0-9a-f]{64}$/.test(large) ? large : null;
  return [{ path, bytes, etag: sha256 ?? oid, sha256 }];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** RFC 8288, as the hub writes it. */
function nextOf(link: string | null, from: URL): URL | null {
  const next = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1];
  return next === undefined || !URL.canParse(next, from.href) ? null : new URL(next, from);
}

const notHub = (endpoint: string): AssayError =>
  new AssayError('storage_unavailable', `${endpoint} does not answer as a hub does`, {
    advice: 'check HF_ENDPOINT; without it https://huggingface.co is asked',
  });
