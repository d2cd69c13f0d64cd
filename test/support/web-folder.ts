import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface WebManners {
  /** Kind of folder listing: HTML (nginx, Apache, Python), JSON (Caddy), or none. */
  readonly listing?: 'html' | 'json' | 'none';
  /** False: whole files are sent, as Python's own server does. */
  readonly ranges?: boolean;
  /** Files are answered with their hash, as RFC 9530 has it. */
  readonly digests?: boolean;
  /** Called before each file is sent. */
  readonly onFile?: (path: string, request: IncomingMessage) => void;
}

/** Serves a folder on this machine as `http://127.0.0.1:port/set/`. */
export async function serveFolder(folder: string, manners: WebManners = {}) {
  const sent = { bytes: 0 };
  const server = createServer((request, response) => {
    const end = response.end.bind(response);
    response.end = ((body?: Uint8Array | string) => {
      sent.bytes += body?.length ?? 0;
      return end(body);
    }) as typeof response.end;
    answer(folder, manners, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    sent,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/set/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(folder: string, manners: WebManners, request: IncomingMessage, response: ServerResponse) {
  const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname);
  const below = path.startsWith('/set/') ? path.slice('/set/'.length) : null;
  const info = below === null ? undefined : statSync(join(folder, below), { throwIfNoEntry: false });
  if (below === null || info === undefined) response.writeHead(404).end('not here');
  else if (info.isFile()) sendFile(join(folder, below), below, manners, request, response);
  else if (!path.endsWith('/')) response.writeHead(301, { location: `${request.url}/` }).end();
  else list(join(folder, below), manners, response);
}

function list(folder: string, { listing = 'html' }: WebManners, response: ServerResponse): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (listing === 'none') response.writeHead(403).end('Forbidden');
  else if (listing === 'json') {
    const rows = entries.map((entry) => ({ name: entry.name, is_dir: entry.isDirectory(), size: 1 }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows));
  } else {
    const links = entries.map((entry) => {
      const name = encodeURIComponent(entry.name) + (entry.isDirectory() ? '/' : '');
      return `<a href="${name}">${entry.name}</a>`;
    });
    const others = '<a href="../">up</a><a href="?C=N;O=D">Name</a><a href="https://elsewhere.test/x">x</a>';
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<h1>Index</h1>${others}${links.join('\n')}`);
  }
}

function sendFile(
  file: string,
  path: string,
  { ranges = true, digests = false, onFile }: WebManners,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  onFile?.(path, request);
  const bytes = readFileSync(file);
  const said = ranges ? /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') : null;
  const from = said === null ? 0 : Number(said[1]);
  const to = said === null || said[2] === '' ? bytes.length - 1 : Math.min(Number(said[2]), bytes.length - 1);
  const part = bytes.subarray(from, to + 1);
  const { mtimeMs } = statSync(file);
  response.writeHead(said === null ? 200 : 206, {
    'last-modified': new Date(mtimeMs).toUTCString(),
    etag: `"${mtimeMs}-${bytes.length}"`,
    'content-length': part.length,
    ...(digests ? { 'repr-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:` } : {}),
    ...(said === null ? {} : { 'content-range': `bytes ${from}-${to}/${bytes.length}` }),
  });
  response.end(request.method === 'HEAD' ? undefined : part);
}
