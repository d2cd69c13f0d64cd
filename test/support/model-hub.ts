import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answer of a test hub for one file; omitted members behave correctly. */
export interface HubFile {
  readonly bytes: Buffer;
  readonly etag?: string;
  /** Ends the connection after that many bytes, this often. */
  cut_after?: number;
  cuts?: number;
  /** Waited for before: those bytes were taken by whoever downloads, since a cut loses what was not. */
  readonly taken?: (bytes: number) => Promise<void>;
  /** Answers a range with the whole file. */
  readonly ignores_ranges?: boolean;
  /** Says so of its length, whatever it is. */
  readonly says_bytes?: number;
  /** Sends more and more. */
  readonly endless?: boolean;
  /** Sends the first half, and the rest when this resolves. */
  readonly pause?: Promise<void>;
  readonly redirect?: string;
  readonly status?: number;
}

interface Asked {
  readonly path: string;
  readonly range: string | null;
  readonly if_range: string | null;
}

/** A hub on this machine that serves what a test puts into `files`, and notes what it was asked. */
export async function startModelHub() {
  const files = new Map<string, HubFile>();
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push({ path, range: request.headers.range ?? null, if_range: single(request, 'if-range') });
    const file = files.get(path);
    if (file === undefined) {
      response.writeHead(404).end('Entry not found');
      return;
    }
    serve(file, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const single = (request: IncomingMessage, name: string): string | null => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
};

async function serve(file: HubFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { bytes, etag = '"one"', redirect, status } = file;
  if (redirect !== undefined) {
    response.writeHead(302, { location: redirect }).end();
    return;
  }
  if (status !== undefined) {
    response.writeHead(status).end('no');
    return;
  }
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const fits = range !== null && file.ignores_ranges !== true && single(request, 'if-range') === etag;
  const from = fits ? Number(range[1]) : 0;
  if (fits && from >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  response.writeHead(fits ? 206 : 200, {
    etag,
    ...(file.endless === true ? {} : { 'content-length': (file.says_bytes ?? bytes.length) - from }),
    ...(fits ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  });
  await send(file, from, response);
}

async function send(file: HubFile, from: number, response: ServerResponse): Promise<void> {
  const rest = file.bytes.subarray(from);
  if (file.endless === true) {
    const more = () => {
      while (!response.destroyed && response.write(rest));
    };
    response.on('drain', more);
    more();
    return;
  }
  if (file.cut_after !== undefined && (file.cuts ?? 0) > 0) {
    file.cuts = (file.cuts ?? 0) - 1;
    response.write(rest.subarray(0, file.cut_after));
    await file.taken?.(from + file.cut_after);
    response.destroy();
    return;
  }
  if (file.pause !== undefined) {
    response.write(rest.subarray(0, rest.length / 2));
    await file.pause;
    response.end(rest.subarray(rest.length / 2));
    return;
  }
  response.end(rest);
}
