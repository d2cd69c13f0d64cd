import { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import { MemoryLocker, Server, Upload } from '@tus/server';
import type { FastifyInstance } from 'fastify';
import { AssayError, type ErrorCode, idPattern } from '#core';
import {
  beginUploadFile,
  extendUpload,
  finishUploadFile,
  getUploadProgress,
  removeUploadFile,
  sweepUploads,
  uploadsPath,
} from '#service/operations';
import { type Store, stageUploadFile, stagingFolder } from '#store';
import type { RequestContext } from './handler.ts';
import type { Mount, RawRequest, RawResponse } from './options.ts';

const fileId = idPattern('upl');

/** Returns the mount of resumable uploads (tus 1.0): files of sources that were created with the kind `upload`. */
export function uploadMount(): Mount {
  // Only one request at a time may write a file.
  const locker = new MemoryLocker();
  return {
    id: 'upload_file',
    prefix: uploadsPath,
    methods: ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
    role: 'engineer',
    content_types: ['application/offset+octet-stream'],
    handle: async (served, request, response) => {
      response.setHeader('tus-resumable', '1.0.0');
      await answerTus(served, request, response, locker);
    },
  };
}

async function answerTus(
  served: RequestContext,
  request: RawRequest,
  response: RawResponse,
  locker: MemoryLocker,
): Promise<void> {
  let fault: unknown = null;
  const tus = tusServer(served, locker, (thrown) => {
    fault = thrown;
  });
  const answered = await tus.handleWeb(webRequest(request));
  // Unread bytes of a rejected body would be parsed as the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  // Clients of other protocol versions expect this status as it is.
  const speaksOtherVersion = answered.status === 412;
  if (answered.status >= 400 && !speaksOtherVersion)
    throw tusFault(fault, answered.status, await answered.text());
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(answered.body === null ? undefined : Buffer.from(await answered.arrayBuffer()));
}

/** Creates a tus server for one request, which acts as its caller. */
function tusServer(served: RequestContext, locker: MemoryLocker, onFault: (thrown: unknown) => void): Server {
  const { store, call } = served;
  return new Server({
    path: uploadsPath,
    datastore: new StagingStore(served),
    locker,
    relativeLocation: true,
    allowedOrigins: [],
    maxSize: store.source_access.max_upload_bytes,
    namingFunction: (request, metadata) =>
      beginUploadFile(store, call, parseNewFile(request.headers, metadata)),
    getFileIdFromRequest: (_, id) => (id !== undefined && fileId.test(id) ? id : undefined),
    onIncomingRequest: async (request, id) => {
      if (request.method === 'PATCH') await extendUpload(store, call, { id });
    },
    onUploadFinish: async (_, { id }: Upload) => {
      await finishUploadFile(store, call, { id });
      return {};
    },
    onResponseError: (_, thrown) => {
      onFault(thrown);
      return undefined;
    },
  });
}

/** Converts Node's request to a web `Request`; the host is a placeholder. */
function webRequest(request: RawRequest): Request {
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const hasBody = method === 'POST' || method === 'PATCH';
  const body = hasBody ? (Readable.toWeb(request) as ReadableStream) : null;
  return new Request(new URL(url, 'http://service'), {
    method,
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
}

const errorCodeByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  403: 'bad_request',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'bad_request',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  501: 'bad_request',
};

/** Converts an error of the tus library, or one thrown by an operation inside it, to an `AssayError`. */
function tusFault(thrown: unknown, status: number, text: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const code = errorCodeByStatus[status];
  if (code !== undefined) return new AssayError(code, text.trim(), { advice: statusAdvice(status) });
  // Any other error means that the bytes could not be stored: a full disk, or a client that disconnected.
  return new AssayError('storage_unavailable', `could not store the uploaded data: ${text.trim()}`, {
    advice: 'free some space in the data folder; the upload can then be resumed',
    cause: thrown,
  });
}

function statusAdvice(status: number): string {
  return status === 409
    ? 'get the current Upload-Offset with HEAD and resume from there'
    : 'see https://tus.io/protocols/resumable-upload, version 1.0.0';
}

interface NewFile {
  readonly source_id: string;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Reads path, hash and size of a new file from its request. Throws `invalid_request` naming every missing or
 * malformed member.
 */
function parseNewFile(
  headers: { get(name: string): string | null },
  metadata: Readonly<Record<string, string | null>> = {},
): NewFile {
  const { source_id, path, sha256 } = metadata;
  const bytes = Number(headers.get('upload-length'));
  const errors: { pointer: string; message: string }[] = [];
  const say = (name: string, message: string) =>
    errors.push({ pointer: `/headers/upload-metadata/${name}`, message });
  if (source_id === null || source_id === undefined || !idPattern('src').test(source_id))
    say('source_id', 'must be the id of an open upload source');
  if (path === null || path === undefined || path === '')
    say('path', 'must be the path of the file relative to the uploaded folder');
  if (sha256 === null || sha256 === undefined || !/^[0-9a-f]{64}$/.test(sha256))
    say('sha256', 'must be the SHA-256 of the whole file in 64 lower-case hexadecimal digits');
  if (errors.length === 0 && source_id && path && sha256) return { source_id, path, sha256, bytes };
  const named = errors.map(({ pointer }) => pointer.slice(pointer.lastIndexOf('/') + 1)).join(', ');
  throw new AssayError('invalid_request', `missing or invalid Upload-Metadata: ${named}`, {
    advice: 'send Upload-Metadata: source_id <base64>, path <base64>, sha256 <base64>',
    details: { errors },
  });
}

/** The database describes the files, so tus stores no info files. */
const noConfig = { get: async () => undefined, set: async () => {}, delete: async () => {} };

/**
 * Staged files as seen by one caller. Metadata comes from the database; the received size is that of the staged file,
 * which is correct after any crash.
 */
class StagingStore extends FileStore {
  readonly #served: RequestContext;

  constructor(served: RequestContext) {
    super({ directory: stagingFolder(served.store), configstore: noConfig });
    this.extensions = ['creation', 'creation-with-upload', 'termination'];
    this.#served = served;
  }

  override async create(upload: Upload): Promise<Upload> {
    await stageUploadFile(this.#served.store, upload.id, { fresh: true });
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { store, call } = this.#served;
    const { file, received } = await getUploadProgress(store, call, { id });
    // Staged bytes may be lost with their disk; the client then sends them again.
    if (file.state === 'receiving') await stageUploadFile(store, id, { fresh: false });
    const { source_id, path, sha256, bytes } = file;
    return new Upload({ id, size: bytes, offset: received, metadata: { source_id, path, sha256 } });
  }

  override async remove(id: string): Promise<void> {
    const { store, call } = this.#served;
    await removeUploadFile(store, call, { id });
  }
}

const sweepInterval_ms = 3600_000;

/** Adds hooks to the server that delete abandoned uploads when it starts and every hour; failures are only logged. */
export function sweepAbandonedUploads(server: FastifyInstance, store: Store): void {
  const sweep = () =>
    sweepUploads(store, new Date()).catch((thrown) =>
      server.log.warn({ err: thrown }, 'could not delete abandoned uploads; they will be deleted later'),
    );
  const timer = setInterval(() => void sweep(), sweepInterval_ms).unref();
  server.addHook('onListen', async () => void sweep());
  server.addHook('onClose', async () => clearInterval(timer));
}
