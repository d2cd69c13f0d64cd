import { AssayApiError, all, type SourceFile } from '#client';
import { client } from '../../../api/client.ts';
import type { ChosenFile } from './chosen-files.ts';
import { hashFile } from './hash-file.ts';

export interface UploadItem extends ChosenFile {
  readonly state: 'waiting' | 'hashing' | 'sending' | 'whole' | 'failed';
  /** Bytes hashed or received by the service, depending on the state. */
  readonly done_bytes: number;
  readonly error: unknown;
}

/** Upload of files into one source. */
export interface Upload {
  readonly id: number;
  readonly project_id: string;
  readonly name: string;
  /** Null until all files are hashed, since the source is created with their hashes. */
  readonly source_id: string | null;
  readonly state: 'under_way' | 'stopped' | 'complete';
  readonly error: unknown;
  readonly items: readonly UploadItem[];
}

/** Chunk size: small enough for frequent progress, large enough for low overhead. */
const chunk_bytes = 4 * 1024 * 1024;
const maxParallelFiles = 3;
/** Number of tries; covers an outage of half a minute. */
const tries = 7;

type OnChange = (change: Partial<Omit<Upload, 'items'>>) => void;
type OnItemChange = (path: string, change: Partial<UploadItem>) => void;

interface UploadInputs {
  readonly upload: Upload;
  /** Hashes computed before, by path. */
  readonly hashes: Map<string, string>;
  readonly onChange: OnChange;
  readonly onItemChange: OnItemChange;
  readonly signal: AbortSignal;
}

/**
 * Hashes the files, creates the source with the hashes, sends the files and completes the upload. After an
 * interruption, only missing parts are sent.
 */
export async function sendUpload({
  upload,
  hashes,
  onChange,
  onItemChange,
  signal,
}: UploadInputs): Promise<void> {
  const { project_id, name, items } = upload;
  const open = items.filter(({ state }) => state !== 'whole');
  for (const { path, file } of open) {
    if (hashes.has(path)) continue;
    onItemChange(path, { state: 'hashing', done_bytes: 0, error: null });
    hashes.set(path, await hashFile(file, signal, (done_bytes) => onItemChange(path, { done_bytes })));
    onItemChange(path, { state: 'waiting', done_bytes: 0 });
  }
  const files = items.map(({ path, file }) => ({ path, bytes: file.size, sha256: hashes.get(path) ?? '' }));
  const source_id =
    upload.source_id ??
    (await client.sources.create({ project_id, kind: 'upload', name, files }, { signal })).id;
  onChange({ source_id });
  const known = new Map<string, SourceFile>();
  for await (const file of all(client.sources.listFiles, { source_id, limit: 500 }))
    known.set(file.path, file);
  const queue = [...open];
  const sendNext = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const { path } = item;
      try {
        await sendFile(source_id, item, hashes.get(path) ?? '', known.get(path), onItemChange, signal);
        onItemChange(path, { state: 'whole', done_bytes: item.file.size, error: null });
      } catch (error) {
        if (signal.aborted) throw error;
        onItemChange(path, { state: 'failed', error });
      }
    }
  };
  await Promise.all(Array.from({ length: maxParallelFiles }, sendNext));
}

async function sendFile(
  source_id: string,
  { path, file }: ChosenFile,
  sha256: string,
  known: SourceFile | undefined,
  onItemChange: OnItemChange,
  signal: AbortSignal,
): Promise<void> {
  if (known !== undefined && (known.sha256 !== sha256 || known.bytes !== file.size))
    throw new AssayApiError(
      'hash_mismatch',
      'this file differs in size or SHA-256 from the one that was listed under this name when the upload was created',
    );
  if (known?.state === 'whole') return;
  onItemChange(path, { state: 'sending', error: null });
  const on_progress = (done_bytes: number) => onItemChange(path, { done_bytes });
  const send = (upload_url: string | null) =>
    client.upload(
      { source_id, path, content: file, sha256 },
      { signal, chunk_bytes, tries, on_progress, ...(upload_url === null ? {} : { upload_url }) },
    );
  try {
    await send(known?.upload_url ?? null);
  } catch (thrown) {
    // Already started: the first answer was lost, or another page sends the same file.
    const place = thrown instanceof AssayApiError && thrown.status === 409 ? thrown.details : {};
    if (place.state === 'whole') return;
    if (typeof place.upload_url !== 'string') throw thrown;
    await send(place.upload_url);
  }
}
