import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Behaviour of the server: answers normally, accepts requests without answering, or cuts connections. */
export type Mood = 'answers' | 'silent' | 'cuts';

export interface MemoryS3 {
  readonly endpoint: string;
  mood: Mood;
  /** Environment variables of a service that stores its blobs there. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a server with the part of S3 that blobs need, in the memory of this process. */
export async function startMemoryS3(bucket: string): Promise<MemoryS3> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    if (s3.mood === 'cuts') request.socket.destroy();
    else if (s3.mood === 'silent') request.resume();
    else void answer(objects, bucket, request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const s3: MemoryS3 = {
    endpoint,
    mood: 'answers',
    env: {
      ASSAY_BLOBS: `s3://${bucket}`,
      ASSAY_S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return s3;
}

async function answer(
  objects: Map<string, Buffer>,
  bucket: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
  const key = decodeURIComponent(pathname.slice(bucket.length + 2));
  const body = await bodyOf(request);
  const stored = objects.get(key);
  if (request.method === 'PUT') objects.set(key, body);
  if (request.method === 'POST')
    for (const [, name] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(name);
  if (request.method === 'POST') return void response.end('<DeleteResult/>');
  if (key === '') return void response.end(listing(objects, searchParams.get('prefix') ?? ''));
  const bytes = request.method === 'PUT' ? body : stored;
  if (bytes === undefined) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1);
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  response.writeHead(from === undefined ? 200 : 206, {
    etag,
    'content-length': request.method === 'PUT' ? 0 : part.length,
    'last-modified': new Date().toUTCString(),
  });
  response.end(request.method === 'GET' ? part : undefined);
}

function listing(objects: ReadonlyMap<string, Buffer>, prefix: string): string {
  const found = [...objects].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
  const contents = found.map(
    ([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`,
  );
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
