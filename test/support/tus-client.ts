import { createHash } from 'node:crypto';

export interface TusTarget {
  readonly address: string;
  readonly token: string;
}

export interface TusAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into problems
  readonly body: any;
}

type Body = NonNullable<RequestInit['body']>;

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** One request of the tus 1.0 protocol, as any client makes it. */
export async function tus(
  { address, token }: TusTarget,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Body,
): Promise<TusAnswer> {
  const answer = await fetch(address + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  } as RequestInit);
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== '';
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Creates a file; its address is in the answer's `location`. */
export function createUpload(
  target: TusTarget,
  file: {
    readonly source_id: string;
    readonly path: string;
    readonly sha256: string;
    readonly bytes: number;
  },
): Promise<TusAnswer> {
  const { source_id, path, sha256, bytes } = file;
  return tus(target, 'POST', '/v1/uploads', {
    'upload-length': String(bytes),
    'upload-metadata': `source_id ${base64(source_id)},path ${base64(path)},sha256 ${base64(sha256)}`,
  });
}

export function sendBytes(target: TusTarget, path: string, offset: number, bytes: Body): Promise<TusAnswer> {
  const headers = {
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
  };
  return tus(target, 'PATCH', path, headers, bytes);
}

/** Requests the received size of an upload, as a client does before it resumes. */
export async function offsetOf(target: TusTarget, path: string): Promise<number> {
  const { status, headers } = await tus(target, 'HEAD', path);
  if (status !== 200) throw new Error(`HEAD ${path}: ${status}`);
  return Number(headers.get('upload-offset'));
}

/** A whole file in one piece. */
export async function sendFile(
  target: TusTarget,
  source_id: string,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const created = await createUpload(target, {
    source_id,
    path,
    sha256: sha256Of(bytes),
    bytes: bytes.length,
  });
  const location = created.headers.get('location');
  if (created.status !== 201 || location === null)
    throw new Error(`POST: ${created.status} ${JSON.stringify(created.body)}`);
  if (bytes.length > 0) {
    const sent = await sendBytes(target, location, 0, bytes as Uint8Array<ArrayBuffer>);
    if (sent.status !== 204) throw new Error(`PATCH: ${sent.status} ${JSON.stringify(sent.body)}`);
  }
  return location;
}
