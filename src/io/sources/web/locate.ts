import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, folderFault, limits } from '#core';
import { ObjectCache } from '../cache/object-cache.ts';
import type { RecordingsRef, WebAccess } from '../recordings-ref.ts';
import { atOnce } from '../remote/at-once.ts';
import type { WebAddress } from './address.ts';
import { drop, HttpClient, refused } from './http-client.ts';
import { lerobotNames } from './listing/lerobot-names.ts';
import { again, type Page, readJson, readPage } from './listing/page.ts';
import { addressOf, stateOf, type WebEntry, type WebListing } from './web-listing.ts';

type WebRef = Extract<RecordingsRef, { kind: 'web' }>;
type Place = Pick<WebRef, 'label' | 'base'> & WebListing;

/**
 * Finds out once what lies behind an address, in the state that it is in now: a revision becomes its commit, and every
 * file has the tag it was listed with. Throws `not_found`, `not_permitted`, `not_recognised`, `storage_unavailable`.
 */
export async function locateWeb(address: WebAddress, access: WebAccess): Promise<WebRef> {
  const client = new HttpClient(access);
  const place =
    address.kind === 'hub' ? await hubPlace(client, address, access) : await webPlace(client, address.url);
  const { label, base, entries, lone } = place;
  client.traffic.add(
    'listed',
    entries.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const ranges = await answersRanges(client, new URL(base), entries);
  const listing_file = await writeListing({ entries, lone }, access);
  return { kind: 'web', label, base, access, listing_file, ranges };
}

async function hubPlace(
  client: HttpClient,
  dataset: Extract<WebAddress, { kind: 'hub' }>,
  { endpoint }: WebAccess,
): Promise<Place> {
  const { owner, name } = dataset;
  const commit = await commitOf(client, endpoint, dataset);
  const entries = await listCommit(client, endpoint, dataset, commit);
  return {
    label: `hf://datasets/${owner}/${name}@${commit}`,
    base: `${endpoint}/datasets/${owner}/${name}/resolve/${commit}/`,
    entries,
    lone: null,
  };
}

async function webPlace(client: HttpClient, url: URL): Promise<Place> {
  const lone = url.pathname.endsWith('/') ? null : await loneFile(client, url);
  const base = new URL(url);
  if (lone !== null) base.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1);
  else if (!base.pathname.endsWith('/')) base.pathname += '/';
  const entries = lone === null ? await withSums(client, base, await listFolder(client, base)) : [lone];
  return { label: url.href, base: base.href, entries, lone: lone?.path ?? null };
}

/** An address without a `/` behind may be a file. A page is none. */
async function loneFile(client: HttpClient, url: URL): Promise<WebEntry | null> {
  const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  if (!/\.\w+$/.test(name)) return null;
  const answer = await client.ask(url, { method: 'HEAD' });
  await drop(answer);
  const { headers } = answer.response;
  if (answer.url.pathname.endsWith('/') || /^text\/html\b/i.test(headers.get('content-type') ?? ''))
    return null;
  return headOf(client, url, name);
}

/** Asked once, of the smallest file that shows it. */
async function answersRanges(client: HttpClient, base: URL, entries: readonly WebEntry[]): Promise<boolean> {
  const some = entries.filter(({ bytes }) => bytes > 1);
  if (some.length === 0) return true;
  const { path } = some.reduce((a, b) => (b.bytes < a.bytes ? b : a));
  const answer = await client.ask(addressOf(base, path), { headers: { range: 'bytes=0-0' } });
  await drop(answer);
  return answer.response.status !== 200;
}

async function writeListing(listing: WebListing, { cache_folder, cache_bytes }: WebAccess): Promise<string> {
  const mirror = await new ObjectCache(cache_folder, cache_bytes).openMirror();
  const file = join(mirror, 'listing.json');
  try {
    await writeFile(file, JSON.stringify(listing), { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    throw folderFault(thrown, cache_folder);
  }
  return file;
}

interface HubDataset {
  readonly owner: string;
  readonly name: string;
  readonly revision: string;
}

/** The commit that a revision is now. Throws `not_found`, `not_permitted`, `storage_unavailable`. */
async function commitOf(client: HttpClient, endpoint: string, dataset: HubDataset): Promise<string> {
  const { owner, name, revision } = dataset;
  const url = new URL(`${endpoint}/api/datasets/${owner}/${name}/revision/${encodeURIComponent(revision)}`);
  const { json } = await readJson(client, url);
  const sha = memberOf(json, 'sha');
  if (typeof sha === 'string' && /^[0-9a-f]{7,64}$/.test(sha)) return sha;
  throw notHub(endpoint);
}

/** Every file of a commit, a page at a time. */
async function listCommit(
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

const headsAtOnce = 8;
/** Each is asked for its size. */
const mostFiles = 50_000;

/** Every file below an address that ends with `/`: as the server lists them, else as a LeRobot set names its own. */
async function listFolder(client: HttpClient, base: URL): Promise<WebEntry[]> {
  const look = new FolderLook(client, base);
  const listed = await look.crawl(base, 0);
  const paths = listed ?? (await look.lerobot());
  if (paths === null || paths.length === 0) throw unlisted(base);
  const heads = await look.heads(paths);
  const entries = heads.flatMap((entry) => entry ?? []);
  if (entries.length === 0) throw unlisted(base);
  return entries;
}

/** What one file is now; null where there is none. */
async function headOf(client: HttpClient, url: URL, path: string): Promise<WebEntry | null> {
  let answer = await client.ask(url, { method: 'HEAD', headers: wantsHash });
  if (answer.response.status === 405 || answer.response.status === 501) {
    await drop(answer);
    answer = await client.ask(url, { headers: { range: 'bytes=0-0' } });
  }
  await drop(answer);
  const { status, headers } = answer.response;
  if (status === 404 || status === 410) return null;
  // Applications answer with their page whatever is asked for.
  const isPage = /^text\/html\b/i.test(headers.get('content-type') ?? '') && !/\.html?$/i.test(path);
  if (isPage) return null;
  if (status !== 200 && status !== 206) throw refused(answer.url, status, null, client.knows(url));
  const whole = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? headers.get('content-length');
  const bytes = Number(whole ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) {
    throw new AssayError('storage_unavailable', `the server does not say how long ${path} is`, {
      path,
      advice: 'copy the folder here first, or serve it with nginx, Apache or Caddy',
    });
  }
  return { path, bytes, etag: stateOf(headers) ?? `${bytes} bytes`, sha256: hashIn(headers) };
}

class FolderLook {
  readonly #client: HttpClient;
  readonly #base: URL;
  readonly #found: string[] = [];

  constructor(client: HttpClient, base: URL) {
    this.#client = client;
    this.#base = base;
  }

  /** Null where the server lists nothing there. */
  async crawl(folder: URL, depth: number): Promise<string[] | null> {
    const page = await again(() => readPage(this.#client, folder, 'application/json, text/html;q=0.9'));
    if (page.status !== 200) {
      if (depth > 0 || page.status === 401)
        throw refused(page.url, page.status, null, this.#client.knows(folder));
      return null;
    }
    if (page.url.origin !== this.#base.origin || !page.url.pathname.startsWith(this.#base.pathname))
      return null;
    const { files, folders } = readIndex(page);
    for (const url of files) this.#found.push(pathOf(url, this.#base));
    if (this.#found.length > mostFiles) throw tooMany();
    if (depth < limits.recordings.folders_deep.value)
      for (const url of folders) await this.crawl(url, depth + 1);
    return this.#found.length === 0 ? null : this.#found;
  }

  async lerobot(): Promise<string[] | null> {
    const info = await again(() =>
      readPage(this.#client, new URL('meta/info.json', this.#base), 'application/json'),
    );
    if (info.status !== 200) return null;
    try {
      const json: unknown = JSON.parse(info.text);
      return await lerobotNames(json, async (paths) =>
        (await this.heads(paths)).map((entry) => entry !== null),
      );
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return null;
      throw thrown;
    }
  }

  heads(paths: readonly string[]): Promise<(WebEntry | null)[]> {
    if (paths.length > mostFiles) throw tooMany();
    const inTurn = atOnce(headsAtOnce);
    return Promise.all(
      paths.map((path) =>
        inTurn(async () => {
          const url = addressOf(this.#base, path);
          // A name with `..` in it leads elsewhere.
          const isBelow = url.pathname.startsWith(this.#base.pathname) && !path.split('/').includes('..');
          return isBelow ? headOf(this.#client, url, path) : null;
        }),
      ),
    );
  }
}

function pathOf(url: URL, base: URL): string {
  const path = url.pathname.slice(base.pathname.length);
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    return path;
  }
}

const tooMany = (): AssayError =>
  new AssayError('limit_exceeded', `more than ${mostFiles} files behind an address`, {
    advice: 'name a smaller folder, or copy it here first',
  });

const unlisted = (base: URL): AssayError =>
  new AssayError('not_recognised', `${base.origin}${base.pathname} lists no files`, {
    advice:
      'name a folder that the server lists (nginx: autoindex on; Apache: Options +Indexes; Caddy: file_server browse), ' +
      'the folder of a LeRobot set with its meta/info.json, or one file; else copy the recordings here first',
  });

/** Asked for with the size of a file: RFC 9530; some servers know the header of RFC 3230 alone. */
const wantsHash = { 'want-repr-digest': 'sha-256=10', 'want-digest': 'sha-256' } as const;

/** The SHA-256 of a whole file as an answer tells it, in hexadecimal; null where it tells none. */
function hashIn(headers: Headers): string | null {
  const said =
    /(?:^|,)\s*sha-256\s*=\s*:([A-Za-z0-9+/=]+):/i.exec(headers.get('repr-digest') ?? '')?.[1] ??
    /(?:^|,)\s*sha-256\s*=\s*([A-Za-z0-9+/=]+)/i.exec(headers.get('digest') ?? '')?.[1];
  const bytes = Buffer.from(said ?? '', 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : null;
}

/** What `sha256sum` writes of a folder, beside its files. */
const sumsName = 'SHA256SUMS';

/** Files whose hash no answer told get that of the folder's list, where it has one. */
async function withSums(
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

/** What a page of a server that lists folders names, as addresses below it. */
interface IndexPage {
  readonly files: readonly URL[];
  readonly folders: readonly URL[];
}

/** Reads the listing of a folder: JSON as nginx and Caddy write it, else the links of the page. */
export function readIndex({ url, headers, text }: Page): IndexPage {
  const isJson = /^application\/(.+\+)?json\b/i.test(headers.get('content-type') ?? '');
  const links = isJson ? linksOfJson(text) : linksOfHtml(text);
  const files = new Map<string, URL>();
  const folders = new Map<string, URL>();
  for (const link of links) {
    const target = URL.canParse(link, url.href) ? new URL(link, url) : null;
    if (target === null || !isDirectlyBelow(target, url)) continue;
    (target.pathname.endsWith('/') ? folders : files).set(target.pathname, target);
  }
  return { files: [...files.values()], folders: [...folders.values()] };
}

function isDirectlyBelow(target: URL, folder: URL): boolean {
  if (target.origin !== folder.origin || target.search !== '' || target.hash !== '') return false;
  if (!target.pathname.startsWith(folder.pathname)) return false;
  const name = target.pathname.slice(folder.pathname.length);
  return name !== '' && name !== '/' && !name.slice(0, -1).includes('/');
}

function linksOfHtml(text: string): string[] {
  const found = text.matchAll(/<a\s[^>]{0,1000}?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi);
  return [...found].map(([, double, single, bare]) => unescaped(double ?? single ?? bare));
}

function unescaped(text: string): string {
  return text
    .replaceAll('&#x27;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function linksOfJson(text: string): string[] {
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows.flatMap(linkOfRow) : [];
  } catch {
    return [];
  }
}

/** nginx says `type`, Caddy `is_dir`. */
function linkOfRow(row: unknown): string[] {
  if (typeof row !== 'object' || row === null || !('name' in row) || typeof row.name !== 'string') return [];
  const isFolder = ('type' in row && row.type === 'directory') || ('is_dir' in row && row.is_dir === true);
  const name = encodeURIComponent(row.name.replace(/\/$/, ''));
  return [isFolder ? `./${name}/` : `./${name}`];
}
