import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, blobFolderError, limitConcurrency, limits } from '#core';
import { ObjectCache } from '../cache/object-cache.ts';
import type { RecordingsRef, WebAccess } from '../recordings-ref.ts';
import type { WebAddress } from './address.ts';
import {
  discardBody,
  HttpClient,
  type Page,
  readJson,
  readPage,
  refusedError,
  retryBrokenBody,
} from './http-client.ts';
import { lerobotFileNames } from './lerobot-file-names.ts';
import { fileState, fileUrl, type WebEntry, type WebListing } from './web-objects.ts';

type WebRef = Extract<RecordingsRef, { kind: 'web' }>;

/** The files at an address in their current state. */
export interface WebFiles extends WebListing {
  /** Name as the user would write it, with the commit. */
  readonly label: string;
  /** Commit of a dataset on a hub; null for a web server. */
  readonly commit: string | null;
}

type WebLocation = Omit<WebFiles, 'ranges'>;

/** Limits on listing an address. */
export interface ListingLimits {
  readonly files: number;
  /** Total size of the files. */
  readonly bytes: number;
  /** Time in ms for listing; null for no limit. */
  readonly time_ms: number | null;
}

const commandLimits: ListingLimits = {
  files: limits.recordings.files.value,
  bytes: Number.POSITIVE_INFINITY,
  time_ms: null,
};

/**
 * Lists a hub dataset (at its commit) or a web folder, writes the listing to a file in the cache folder, and returns a
 * reference to it; throws as `listWeb`.
 */
export async function locateWeb(address: WebAddress, access: WebAccess): Promise<WebRef> {
  const { label, commit: _, ...listing } = await listWeb(address, access);
  return { kind: 'web', label, access, listing_file: await writeListing(listing, access) };
}

/**
 * Lists the files of a hub dataset (at its commit) or a web folder with sizes and hashes, within the limits, and tests
 * whether the server reads ranges. Throws `usage`, `not_found`, `not_permitted`, `not_recognised`,
 * `source_not_allowed`, `limit_exceeded`, `storage_unavailable`.
 */
export async function listWeb(
  address: WebAddress,
  access: WebAccess,
  listingLimits: ListingLimits = commandLimits,
): Promise<WebFiles> {
  const client = new HttpClient(access, listingLimits.time_ms);
  const location =
    address.kind === 'hub'
      ? await locateHubDataset(client, address, access, listingLimits)
      : await locateFolder(client, address.url);
  const { entries, base } = location;
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  requireSmallEnough(entries.length, bytes, listingLimits);
  client.traffic.add('listed', bytes);
  return { ...location, ranges: await supportsRanges(client, new URL(base), entries) };
}

function requireSmallEnough(files: number, bytes: number, maxima: ListingLimits): void {
  const excess =
    files > maxima.files
      ? `more than ${maxima.files} files`
      : bytes > maxima.bytes
        ? `${(bytes / 1e9).toFixed(1)} GB of recordings, more than the ${(maxima.bytes / 1e9).toFixed(1)} GB that are allowed`
        : null;
  if (excess === null) return;
  throw new AssayError('limit_exceeded', excess, {
    advice: 'use the address of the subfolder that you need, or copy it to this machine and pass that folder',
  });
}

async function locateHubDataset(
  client: HttpClient,
  dataset: HubDataset,
  { endpoint }: WebAccess,
  maxima: ListingLimits,
): Promise<WebLocation> {
  const { owner, name, path } = dataset;
  const commit = await resolveCommit(client, endpoint, dataset);
  const label = `hf://datasets/${owner}/${name}@${commit}${path === '' ? '' : `/${path}`}`;
  const whole = new URL(`${endpoint}/datasets/${owner}/${name}/resolve/${commit}/`);
  const [lone, folder] = await splitHubPath(client, endpoint, dataset, commit);
  const base = folder === '' ? whole : new URL(`${fileUrl(whole, folder).href}/`);
  const entries =
    lone === null ? await listCommit(client, endpoint, { ...dataset, commit, folder, maxima }) : [lone];
  if (entries.length === 0)
    throw new AssayError('not_found', `${label} has no files`, { advice: 'check the address' });
  return { label, base: base.href, entries, lone: lone?.path ?? null, commit };
}

/**
 * Returns the file that the path of an address names, null if it is a folder, and the folder that is read: the path, or
 * the folder of the file.
 */
async function splitHubPath(
  client: HttpClient,
  endpoint: string,
  dataset: HubDataset,
  commit: string,
): Promise<readonly [lone: WebEntry | null, folder: string]> {
  const { path } = dataset;
  if (!/\.\w+$/.test(path)) return [null, path];
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, slash));
  const listing = { ...dataset, commit, folder, maxima: commandLimits, shallow: true };
  const beside = await listCommit(client, endpoint, listing);
  const lone = beside.find((entry) => entry.path === path.slice(slash + 1)) ?? null;
  return lone === null ? [null, path] : [lone, folder];
}

async function locateFolder(client: HttpClient, url: URL): Promise<WebLocation> {
  const lone = url.pathname.endsWith('/') ? null : await findSingleFile(client, url);
  const base = new URL(url);
  if (lone !== null) base.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1);
  else if (!base.pathname.endsWith('/')) base.pathname += '/';
  const entries = lone === null ? await addChecksums(client, base, await listFolder(client, base)) : [lone];
  return { label: url.href, base: base.href, entries, lone: lone?.path ?? null, commit: null };
}

/** Returns the entry of the file at an address without a trailing `/`; null if it is a folder or an HTML page. */
async function findSingleFile(client: HttpClient, url: URL): Promise<WebEntry | null> {
  const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  if (!/\.\w+$/.test(name)) return null;
  const answer = await client.request(url, { method: 'HEAD' });
  await discardBody(answer);
  const { headers } = answer.response;
  if (answer.url.pathname.endsWith('/') || /^text\/html\b/i.test(headers.get('content-type') ?? ''))
    return null;
  return fetchHead(client, url, name);
}

/** Returns true if the server supports range requests, tested with the smallest file of more than one byte. */
async function supportsRanges(client: HttpClient, base: URL, entries: readonly WebEntry[]): Promise<boolean> {
  const some = entries.filter(({ bytes }) => bytes > 1);
  if (some.length === 0) return true;
  const { path } = some.reduce((a, b) => (b.bytes < a.bytes ? b : a));
  const answer = await client.request(fileUrl(base, path), { headers: { range: 'bytes=0-0' } });
  await discardBody(answer);
  return answer.response.status !== 200;
}

async function writeListing(listing: WebListing, { cache_folder, cache_bytes }: WebAccess): Promise<string> {
  const mirror = await new ObjectCache(cache_folder, cache_bytes).openMirror();
  const file = join(mirror, 'listing.json');
  try {
    await writeFile(file, JSON.stringify(listing), { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    throw blobFolderError(thrown, cache_folder);
  }
  return file;
}

type HubDataset = Extract<WebAddress, { kind: 'hub' }>;

/** Returns the current commit of a revision. Throws `not_found`, `not_permitted`, `storage_unavailable`. */
async function resolveCommit(client: HttpClient, endpoint: string, dataset: HubDataset): Promise<string> {
  const { owner, name, revision } = dataset;
  const url = new URL(`${endpoint}/api/datasets/${owner}/${name}/revision/${encodeURIComponent(revision)}`);
  const { json } = await readJson(client, url);
  const sha = getMember(json, 'sha');
  if (typeof sha === 'string' && /^[0-9a-f]{7,64}$/.test(sha)) return sha;
  throw notHubError(endpoint);
}

/** A folder of a commit to list. */
interface HubListing extends Pick<HubDataset, 'owner' | 'name'> {
  readonly commit: string;
  /** '' for the whole commit. */
  readonly folder: string;
  readonly maxima: Pick<ListingLimits, 'files'>;
  /** Lists only files directly in the folder. */
  readonly shallow?: boolean;
}

/** Lists the files below a folder of a commit, page by page, with paths relative to the folder. */
async function listCommit(
  client: HttpClient,
  endpoint: string,
  { owner, name, commit, folder, maxima, shallow = false }: HubListing,
): Promise<WebEntry[]> {
  const entries: WebEntry[] = [];
  const below = folder === '' ? '' : `${folder}/`;
  const base = new URL(`${endpoint}/api/datasets/${owner}/${name}/tree/${commit}/`);
  const first = folder === '' ? new URL(base.href.slice(0, -1)) : fileUrl(base, folder);
  if (!shallow) first.searchParams.set('recursive', 'true');
  for (let url: URL | null = first; url !== null; ) {
    const { page, json } = await readJson(client, url);
    if (!Array.isArray(json)) throw notHubError(endpoint);
    for (const row of json)
      for (const entry of parseTreeRow(row))
        if (entry.path.startsWith(below)) entries.push({ ...entry, path: entry.path.slice(below.length) });
    if (entries.length > maxima.files)
      throw new AssayError('limit_exceeded', `more than ${maxima.files} files`, {
        advice:
          'use the address of a subfolder, or copy the part you need to this machine and pass that folder',
      });
    const next = nextPageUrl(page.headers.get('link'), url);
    if (next !== null && next.origin !== url.origin) throw notHubError(endpoint);
    url = next;
  }
  return entries;
}

/**
 * Parses a row of the file listing of the hub. Returns an empty list for rows that are not files. The tag of an LFS
 * file is its SHA-256, that of a small file its Git object id.
 */
function parseTreeRow(row: unknown): WebEntry[] {
  const path = getMember(row, 'path');
  const bytes = getMember(row, 'size');
  const oid = getMember(row, 'oid');
  if (getMember(row, 'type') !== 'file' || typeof path !== 'string' || typeof oid !== 'string') return [];
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return [];
  const large = getMember(getMember(row, 'lfs'), 'oid');
  const sha256 = typeof large === 'string' && /^[0-9a-f]{64}$/.test(large) ? large : null;
  return [{ path, bytes, etag: sha256 ?? oid, sha256 }];
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the URL of the next page from a `Link` header (RFC 8288); null if there is none. */
function nextPageUrl(link: string | null, from: URL): URL | null {
  const next = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1];
  return next === undefined || !URL.canParse(next, from.href) ? null : new URL(next, from);
}

const notHubError = (endpoint: string): AssayError =>
  new AssayError('storage_unavailable', `${endpoint} does not respond like a Hugging Face hub`, {
    advice: 'check HF_ENDPOINT; the default is https://huggingface.co',
  });

const parallelHeads = 8;
/** Maximum number of files, because the size of each is requested separately. */
const maxListedFiles = 50_000;

/**
 * Lists all files below an address that ends with `/`: by the listing pages of the server, else by the file names of a
 * LeRobot dataset. Throws `not_recognised` if no file is found.
 */
async function listFolder(client: HttpClient, base: URL): Promise<WebEntry[]> {
  const listing = new FolderListing(client, base);
  const listed = await listing.crawl(base, 0);
  const paths = listed ?? (await listing.lerobotPaths());
  if (paths === null || paths.length === 0) throw unlistedError(base);
  const heads = await listing.heads(paths);
  const entries = heads.flatMap((entry) => entry ?? []);
  if (entries.length === 0) throw unlistedError(base);
  return entries;
}

/**
 * Requests size, tag and hash of one file; null if it does not exist, or if the server answers with an HTML page
 * instead.
 */
async function fetchHead(client: HttpClient, url: URL, path: string): Promise<WebEntry | null> {
  let answer = await client.request(url, { method: 'HEAD', headers: digestHeaders });
  if (answer.response.status === 405 || answer.response.status === 501) {
    await discardBody(answer);
    answer = await client.request(url, { headers: { range: 'bytes=0-0' } });
  }
  await discardBody(answer);
  const { status, headers } = answer.response;
  if (status === 404 || status === 410) return null;
  // Web applications answer every path with their HTML page.
  const isPage = /^text\/html\b/i.test(headers.get('content-type') ?? '') && !/\.html?$/i.test(path);
  if (isPage) return null;
  if (status !== 200 && status !== 206) throw refusedError(answer.url, status, null, client.sendsToken(url));
  const whole = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? headers.get('content-length');
  const bytes = Number(whole ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) {
    throw new AssayError('storage_unavailable', `the server does not report the size of ${path}`, {
      path,
      advice: 'copy the folder to this machine first, or serve it with nginx, Apache or Caddy',
    });
  }
  return { path, bytes, etag: fileState(headers) ?? `${bytes} bytes`, sha256: parseDigest(headers) };
}

class FolderListing {
  readonly #client: HttpClient;
  readonly #base: URL;
  readonly #found: string[] = [];

  constructor(client: HttpClient, base: URL) {
    this.#client = client;
    this.#base = base;
  }

  /** Lists a folder and its subfolders recursively. Returns null if the server provides no listing. */
  async crawl(folder: URL, depth: number): Promise<string[] | null> {
    const page = await retryBrokenBody(() =>
      readPage(this.#client, folder, 'application/json, text/html;q=0.9'),
    );
    if (page.status !== 200) {
      if (depth > 0 || page.status === 401)
        throw refusedError(page.url, page.status, null, this.#client.sendsToken(folder));
      return null;
    }
    if (page.url.origin !== this.#base.origin || !page.url.pathname.startsWith(this.#base.pathname))
      return null;
    const { files, folders } = readIndex(page);
    for (const url of files) this.#found.push(relativePath(url, this.#base));
    if (this.#found.length > maxListedFiles) throw tooManyFilesError();
    if (depth < limits.recordings.folders_deep.value)
      for (const url of folders) await this.crawl(url, depth + 1);
    return this.#found.length === 0 ? null : this.#found;
  }

  async lerobotPaths(): Promise<string[] | null> {
    const info = await retryBrokenBody(() =>
      readPage(this.#client, new URL('meta/info.json', this.#base), 'application/json'),
    );
    if (info.status !== 200) return null;
    try {
      const json: unknown = JSON.parse(info.text);
      return await lerobotFileNames(json, async (paths) =>
        (await this.heads(paths)).map((entry) => entry !== null),
      );
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return null;
      throw thrown;
    }
  }

  heads(paths: readonly string[]): Promise<(WebEntry | null)[]> {
    if (paths.length > maxListedFiles) throw tooManyFilesError();
    const inTurn = limitConcurrency(parallelHeads);
    return Promise.all(
      paths.map((path) =>
        inTurn(async () => {
          const url = fileUrl(this.#base, path);
          // A path with `..` would leave the folder.
          const isBelow = url.pathname.startsWith(this.#base.pathname) && !path.split('/').includes('..');
          return isBelow ? fetchHead(this.#client, url, path) : null;
        }),
      ),
    );
  }
}

function relativePath(url: URL, base: URL): string {
  const path = url.pathname.slice(base.pathname.length);
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    return path;
  }
}

const tooManyFilesError = (): AssayError =>
  new AssayError('limit_exceeded', `more than ${maxListedFiles} files at this URL`, {
    advice: 'use a smaller folder, or copy it to this machine first',
  });

const unlistedError = (base: URL): AssayError =>
  new AssayError('not_recognised', `${base.origin}${base.pathname} is not a folder listing`, {
    advice:
      'use a folder that the server lists (nginx: autoindex on; Apache: Options +Indexes; Caddy: file_server browse), ' +
      'the folder of a LeRobot dataset with meta/info.json, or a single file; otherwise copy the recordings to this machine first',
  });

/** Headers that request the hash of a file: RFC 9530, and RFC 3230 for older servers. */
const digestHeaders = { 'want-repr-digest': 'sha-256=10', 'want-digest': 'sha-256' } as const;

/** Returns the SHA-256 of the whole file from the headers of an answer, in hexadecimal; null if there is none. */
function parseDigest(headers: Headers): string | null {
  const digest =
    /(?:^|,)\s*sha-256\s*=\s*:([A-Za-z0-9+/=]+):/i.exec(headers.get('repr-digest') ?? '')?.[1] ??
    /(?:^|,)\s*sha-256\s*=\s*([A-Za-z0-9+/=]+)/i.exec(headers.get('digest') ?? '')?.[1];
  const bytes = Buffer.from(digest ?? '', 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : null;
}

/** Name of the checksum file that `sha256sum` users place beside the files. */
const checksumsFile = 'SHA256SUMS';

/** Fills in missing hashes from the `SHA256SUMS` file of the folder, if it exists. */
async function addChecksums(
  client: HttpClient,
  base: URL,
  entries: readonly WebEntry[],
): Promise<readonly WebEntry[]> {
  if (!entries.some(({ path }) => path === checksumsFile)) return entries;
  const page = await retryBrokenBody(() => readPage(client, fileUrl(base, checksumsFile), 'text/plain'));
  if (page.status !== 200) return entries;
  const sums = parseChecksums(page.text);
  return entries.map((entry) => ({ ...entry, sha256: entry.sha256 ?? sums.get(entry.path) ?? null }));
}

/** Parses the output of `sha256sum`: one line per file with hash, a space, a space or `*`, and path. */
function parseChecksums(text: string): Map<string, string> {
  const lines = text.matchAll(/^([0-9a-fA-F]{64}) [ *](?:\.\/)?(.+?)\r?$/gm);
  return new Map([...lines].map(([, hash, path]) => [path, hash.toLowerCase()]));
}

/** URLs of files and folders on a listing page. */
interface IndexPage {
  readonly files: readonly URL[];
  readonly folders: readonly URL[];
}

/**
 * Returns the URLs of files and folders directly below the page from a folder listing: JSON as written by nginx and
 * Caddy, else the links of an HTML page; other links are left out.
 */
export function readIndex({ url, headers, text }: Page): IndexPage {
  const isJson = /^application\/(.+\+)?json\b/i.test(headers.get('content-type') ?? '');
  const links = isJson ? jsonLinks(text) : htmlLinks(text);
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

function htmlLinks(text: string): string[] {
  const found = text.matchAll(/<a\s[^>]{0,1000}?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi);
  return [...found].map(([, double, single, bare]) => unescapeHtml(double ?? single ?? bare));
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&#x27;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function jsonLinks(text: string): string[] {
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows.flatMap(rowLink) : [];
  } catch {
    return [];
  }
}

/** Returns the relative link of a row of a JSON listing; folders are marked by `type` (nginx) or `is_dir` (Caddy). */
function rowLink(row: unknown): string[] {
  if (typeof row !== 'object' || row === null || !('name' in row) || typeof row.name !== 'string') return [];
  const isFolder = ('type' in row && row.type === 'directory') || ('is_dir' in row && row.is_dir === true);
  const name = encodeURIComponent(row.name.replace(/\/$/, ''));
  return [isFolder ? `./${name}/` : `./${name}`];
}
