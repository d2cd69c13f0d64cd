import { AssayApiError } from './api-error.ts';
import { backOff, pause } from './retry.ts';
import type { Sender } from './sender.ts';

/** A file of a source of kind `upload`. */
export interface Upload {
  readonly source_id: string;
  /** Path below the uploaded folder, with `/` as separator. */
  readonly path: string;
  readonly content: Blob;
  /**
   * SHA-256 of the whole content, 64 lower-case hexadecimal digits. Absent: computed by the client, which reads the
   * content into memory once; in browsers this requires HTTPS.
   */
  readonly sha256?: string | undefined;
}

export interface UploadOptions {
  /** Aborts the upload. Stored bytes stay, and the same upload resumes after them. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes per request. Defaults to 16 MiB. */
  readonly chunk_bytes?: number | undefined;
  /** Maximum number of consecutive attempts for a chunk. Defaults to 4. */
  readonly tries?: number | undefined;
  /** Called after each chunk with the number of bytes that the service has stored. */
  readonly on_progress?: ((sent_bytes: number, total_bytes: number) => void) | undefined;
  /** Address of an unfinished upload to resume: `upload_url` of `sources.listFiles`. */
  readonly upload_url?: string | undefined;
}

const protocol = { 'tus-resumable': '1.0.0' };
const chunk = 16 * 1024 * 1024;

/** Uploads a file with the tus 1.0 protocol. An interrupted chunk is sent again from the offset of the service. */
export async function uploadFile(sender: Sender, file: Upload, options: UploadOptions): Promise<void> {
  const { content } = file;
  const { signal, chunk_bytes = chunk, tries = 4, on_progress } = options;
  const place = options.upload_url ?? (await create(sender, file, signal));
  let offset = options.upload_url === undefined ? 0 : await offsetOf(sender, place, signal);
  for (let failed = 0; offset < content.size; ) {
    try {
      offset = await sendChunk(sender, place, content.slice(offset, offset + chunk_bytes), offset, signal);
      failed = 0;
      on_progress?.(offset, content.size);
    } catch (thrown) {
      if (!mayGoOn(thrown) || ++failed >= tries) throw thrown;
      await pause(backOff(failed), signal);
      offset = await offsetOf(sender, place, signal);
    }
  }
}

/** Returns true for an interrupted connection, an unavailable service or an unexpected offset: the upload can resume. */
const mayGoOn = (thrown: unknown): boolean =>
  thrown instanceof AssayApiError &&
  (thrown.code === 'unreachable' ||
    thrown.code === 'timed_out' ||
    thrown.status === 409 ||
    (thrown.status ?? 0) >= 502);

async function create(sender: Sender, file: Upload, signal: AbortSignal | undefined): Promise<string> {
  const { source_id, path, content } = file;
  const metadata = { source_id, path, sha256: file.sha256 ?? (await sha256Of(content)) };
  const headers = {
    ...protocol,
    'upload-length': String(content.size),
    'upload-metadata': Object.entries(metadata)
      .map(([name, value]) => `${name} ${base64(value)}`)
      .join(','),
  };
  const outgoing = { method: 'POST', path: '/v1/uploads', headers, body: null, may_repeat: false };
  return sender.send(outgoing, { signal }, ({ headers: responseHeaders, url }) => {
    const place = responseHeaders.get('location');
    if (place !== null) return place;
    throw new AssayApiError('unexpected_answer', `the response of ${url} has no Location header`);
  });
}

function sendChunk(
  sender: Sender,
  path: string,
  body: Blob,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const headers = {
    ...protocol,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  };
  const outgoing = { method: 'PATCH', path, headers, body, may_repeat: false };
  return sender.send(outgoing, { signal }, offsetIn);
}

/** Returns the number of bytes of a file that the service has stored. */
function offsetOf(sender: Sender, path: string, signal: AbortSignal | undefined): Promise<number> {
  const outgoing = { method: 'HEAD', path, headers: protocol, body: null, may_repeat: true };
  return sender.send(outgoing, { signal }, offsetIn);
}

function offsetIn({ headers, url }: Response): number {
  const offset = headers.get('upload-offset');
  if (offset !== null) return Number(offset);
  throw new AssayApiError('unexpected_answer', `the response of ${url} has no Upload-Offset header`);
}

/** Encodes the UTF-8 bytes of a text. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

async function sha256Of(content: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
