import { Readable } from 'node:stream';
import { MemoryLocker, Server, type Upload } from '@tus/server';
import { idPattern } from '#core';
import { beginUploadFile, finishUploadFile, goOnWithUpload, uploadsPath } from '#service/operations';
import type { Served } from '../handler.ts';
import type { Mount, RawRequest, RawResponse } from '../mount.ts';
import { newFile } from './new-file.ts';
import { StagingStore } from './staging-store.ts';
import { tusFault } from './tus-fault.ts';

const fileId = idPattern('upl');

/** Resumable uploads by the tus 1.0 protocol: files of sources that were opened with the kind `upload`. */
export function uploadMount(): Mount {
  // One request at a time works on a file.
  const locker = new MemoryLocker();
  return {
    id: 'upload_file',
    prefix: uploadsPath,
    methods: ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
    role: 'engineer',
    content_types: ['application/offset+octet-stream'],
    handle: async (served, request, response) => {
      response.setHeader('tus-resumable', '1.0.0');
      await answer(served, request, response, locker);
    },
  };
}

async function answer(
  served: Served,
  request: RawRequest,
  response: RawResponse,
  locker: MemoryLocker,
): Promise<void> {
  let fault: unknown = null;
  const tus = tusServer(served, locker, (thrown) => {
    fault = thrown;
  });
  const answered = await tus.handleWeb(webRequest(request));
  // What was not read of a refused body would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  // Clients of another version of the protocol know this status only.
  const speaksOtherVersion = answered.status === 412;
  if (answered.status >= 400 && !speaksOtherVersion)
    throw tusFault(fault, answered.status, await answered.text());
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(answered.body === null ? undefined : Buffer.from(await answered.arrayBuffer()));
}

/** One for each request: what it does is done for that caller. */
function tusServer(served: Served, locker: MemoryLocker, onFault: (thrown: unknown) => void): Server {
  const { store, call } = served;
  return new Server({
    path: uploadsPath,
    datastore: new StagingStore(served),
    locker,
    relativeLocation: true,
    allowedOrigins: [],
    maxSize: store.source_access.max_upload_bytes,
    namingFunction: (request, metadata) => beginUploadFile(store, call, newFile(request.headers, metadata)),
    getFileIdFromRequest: (_, id) => (id !== undefined && fileId.test(id) ? id : undefined),
    onIncomingRequest: async (request, id) => {
      if (request.method === 'PATCH') await goOnWithUpload(store, call, { id });
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

/** Node's request as the web's; only its path is looked at. */
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
