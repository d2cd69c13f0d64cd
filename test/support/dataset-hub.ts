import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Misbehaviour of a test hub and its storage; omitted members behave correctly. */
export interface HubManners {
  /** Asked for with every request to the hub. */
  readonly token?: string;
  /** Every such request of the storage is cut half way. */
  readonly cut_every?: number;
  /** Every such request of the hub is answered with 429. */
  readonly busy_every?: number;
  /** Requests that a signed address is good for. */
  readonly signed_uses?: number;
  /** Entries of one page of the listing. */
  readonly page?: number;
  /** Called before each request is answered. */
  onRequest?: (asked: AskedOfHub) => void;
  /** Answers a request to the hub in another way; returns false to have it answered as usual. */
  instead?: (url: string, response: ServerResponse) => boolean;
}

interface AskedOfHub {
  readonly where: 'hub' | 'storage';
  readonly url: string;
  readonly authorization: string | null;
}

interface HubFile {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly large: boolean;
}

/** A hub on this machine with one dataset of some commits; large files are sent from its storage, another server. */
export async function startDatasetHub(manners: HubManners = {}) {
  const hub = new DatasetHub(manners);
  hub.storageAddress = await hub.listen((request, response) => hub.storage(request, response));
  const endpoint = await hub.listen((request, response) => hub.answer(request, response));
  return Object.assign(hub, { endpoint });
}

export type TestHub = Awaited<ReturnType<typeof startDatasetHub>>;

class DatasetHub {
  readonly asked: AskedOfHub[] = [];
  /** Bytes of answers with parts of files. */
  sent_bytes = 0;
  storageAddress = '';
  readonly #manners: HubManners;
  readonly #commits = new Map<string, Map<string, HubFile>>();
  readonly #revisions = new Map<string, string>();
  readonly #signed = new Map<string, { file: HubFile; uses: number }>();
  readonly #servers: ReturnType<typeof createServer>[] = [];
  #count = { hub: 0, storage: 0 };

  constructor(manners: HubManners) {
    this.#manners = manners;
  }

  /** Stores a folder as a commit, and has the revision point there. */
  commit(folder: string, revision = 'main'): string {
    const files = new Map<string, HubFile>();
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(folder, entry);
      if (!statSync(path).isFile()) continue;
      const bytes = readFileSync(path);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      files.set(entry, { bytes, sha256, large: /\.(parquet|mp4|mcap)$/.test(entry) });
    }
    const sha = createHash('sha1')
      .update(JSON.stringify([...files]))
      .digest('hex');
    this.#commits.set(sha, files);
    this.#revisions.set(revision, sha);
    return sha;
  }

  /** Another file stands where one was listed, in every commit: what a hub never does. */
  replace(path: string, bytes: Buffer): void {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#signed.clear();
    for (const files of this.#commits.values()) files.set(path, { bytes, sha256, large: true });
  }

  get stored_bytes(): number {
    const [files] = [...this.#commits.values()].slice(-1);
    return [...files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  async listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#note('hub', request);
    const { token, busy_every, instead } = this.#manners;
    if (instead?.(request.url ?? '', response)) return;
    if (busy_every !== undefined && ++this.#count.hub % busy_every === 0) {
      response.writeHead(429, { 'retry-after': '0' }).end('slow down');
      return;
    }
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, { 'x-error-code': 'RepoNotFound' }).end('Repository not found');
      return;
    }
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const revision = /^\/api\/datasets\/lab\/set\/revision\/([^/]+)$/.exec(url.pathname);
    const tree = /^\/api\/datasets\/lab\/set\/tree\/([^/]+)(?:\/(.+))?$/.exec(url.pathname);
    const file = /^\/datasets\/lab\/set\/resolve\/([^/]+)\/(.+)$/.exec(url.pathname);
    if (revision !== null) this.#revision(decodeURIComponent(revision[1]), response);
    else if (tree !== null) this.#tree(tree[1], decodeURIComponent(tree[2] ?? ''), url, response);
    else if (file !== null) this.#resolve(file[1], decodeURIComponent(file[2]), request, response);
    else response.writeHead(404, { 'x-error-code': 'RepoNotFound' }).end('Not found');
  }

  #revision(name: string, response: ServerResponse): void {
    const sha = this.#revisions.get(name) ?? (this.#commits.has(name) ? name : undefined);
    if (sha === undefined)
      response.writeHead(404, { 'x-error-code': 'RevisionNotFound' }).end('Revision not found');
    else {
      const siblings = [...(this.#commits.get(sha)?.keys() ?? [])].map((rfilename) => ({ rfilename }));
      const info = { id: 'lab/set', sha, private: false, siblings };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info));
    }
  }

  #tree(sha: string, folder: string, url: URL, response: ServerResponse): void {
    const below = folder === '' ? '' : `${folder}/`;
    const deep = url.searchParams.get('recursive') === 'true';
    const all = [...(this.#commits.get(this.#revisions.get(sha) ?? sha) ?? [])].filter(
      ([path]) => path.startsWith(below) && (deep || !path.slice(below.length).includes('/')),
    );
    if (all.length === 0 && folder !== '') {
      response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end('Entry not found');
      return;
    }
    const { page = 1000 } = this.#manners;
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const rows = all.slice(from, from + page).map(([path, { bytes, sha256, large }]) => ({
      ...{ type: 'file', oid: sha256.slice(0, 40), size: bytes.length, path },
      ...(large ? { lfs: { oid: sha256, size: bytes.length, pointerSize: 130 } } : {}),
    }));
    url.searchParams.set('cursor', String(from + page));
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(from + page < all.length ? { link: `<${url.href}>; rel="next"` } : {}),
    });
    response.end(JSON.stringify([{ type: 'directory', oid: 'd', size: 0, path: 'data' }, ...rows]));
  }

  #resolve(sha: string, path: string, request: IncomingMessage, response: ServerResponse): void {
    const file = this.#commits.get(sha)?.get(path);
    if (file === undefined) {
      response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end('Entry not found');
      return;
    }
    if (!file.large) {
      response.setHeader('x-repo-commit', sha);
      this.#send(file, `"${file.sha256.slice(0, 40)}"`, request, response);
      return;
    }
    const signature = createHash('sha1').update(`${sha}/${path}/${this.#signed.size}`).digest('hex');
    this.#signed.set(signature, { file, uses: 0 });
    response.writeHead(302, {
      location: `${this.storageAddress}/blob?signature=${signature}`,
      etag: `"${file.sha256}"`,
      'x-repo-commit': sha,
      'x-linked-etag': `"${file.sha256}"`,
      'x-linked-size': file.bytes.length,
    });
    response.end();
  }

  storage(request: IncomingMessage, response: ServerResponse): void {
    this.#note('storage', request);
    const { cut_every, signed_uses = Number.POSITIVE_INFINITY } = this.#manners;
    const signed = this.#signed.get(/signature=(\w+)/.exec(request.url ?? '')?.[1] ?? '');
    if (signed === undefined || ++signed.uses > signed_uses) {
      response.writeHead(403).end('Request has expired');
      return;
    }
    const cut = cut_every !== undefined && ++this.#count.storage % cut_every === 0;
    this.#send(signed.file, `"stored-${signed.file.sha256.slice(0, 8)}"`, request, response, cut);
  }

  #send(
    { bytes }: HubFile,
    etag: string,
    request: IncomingMessage,
    response: ServerResponse,
    cut = false,
  ): void {
    const said = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const from = said === null ? 0 : Number(said[1]);
    const to =
      said === null || said[2] === '' ? bytes.length - 1 : Math.min(Number(said[2]), bytes.length - 1);
    const part = bytes.subarray(from, to + 1);
    response.writeHead(said === null ? 200 : 206, {
      etag,
      'content-length': part.length,
      ...(said === null ? {} : { 'content-range': `bytes ${from}-${to}/${bytes.length}` }),
    });
    if (request.method === 'HEAD') response.end();
    else if (cut) response.write(part.subarray(0, part.length >> 1), () => response.destroy());
    else response.end(part);
    this.sent_bytes += cut ? part.length >> 1 : part.length;
  }

  #note(where: AskedOfHub['where'], request: IncomingMessage): void {
    const asked = { where, url: request.url ?? '', authorization: request.headers.authorization ?? null };
    this.asked.push(asked);
    this.#manners.onRequest?.(asked);
  }
}
