import { AssayError, limits } from '#core';
import { atOnce } from '../../remote/at-once.ts';
import { drop, type HttpClient } from '../http-client.ts';
import { refused } from '../http-fault.ts';
import { addressOf, stateOf, type WebEntry } from '../web-listing.ts';
import { readIndex } from './index-page.ts';
import { hashIn, wantsHash } from './known-hashes.ts';
import { lerobotNames } from './lerobot-names.ts';
import { again, readPage } from './page.ts';

const headsAtOnce = 8;
/** Each is asked for its size. */
const mostFiles = 50_000;

/** Every file below an address that ends with `/`: as the server lists them, else as a LeRobot set names its own. */
export async function listFolder(client: HttpClient, base: URL): Promise<WebEntry[]> {
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
export async function headOf(client: HttpClient, url: URL, path: string): Promise<WebEntry | null> {
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
