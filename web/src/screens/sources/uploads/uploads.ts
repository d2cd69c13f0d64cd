import { useSyncExternalStore } from 'react';
import { client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { ChosenFile } from './chosen-files.ts';
import { sendUpload, type Upload, type UploadItem } from './upload.ts';

/**
 * Uploads of this page. They continue while other screens are shown; leaving the page asks for confirmation, since
 * only this page can read the chosen files.
 */
let uploads: readonly Upload[] = [];
const listeners = new Set<() => void>();
const hashes = new Map<number, Map<string, string>>();
const stops = new Map<number, AbortController>();
let next = 1;

function change(id: number, how: (upload: Upload) => Partial<Upload>): void {
  uploads = uploads.map((each) => (each.id === id ? { ...each, ...how(each) } : each));
  for (const listen of listeners) listen();
}

/** Returns the uploads into a project, newest first. */
export function useUploads(project_id: string): readonly Upload[] {
  const every = useSyncExternalStore(
    (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    () => uploads,
  );
  return every.filter((upload) => upload.project_id === project_id);
}

interface NewUpload {
  readonly project_id: string;
  readonly name: string;
  readonly files: readonly ChosenFile[];
  /** Source of an earlier upload to resume; null for a new one. */
  readonly source_id: string | null;
}

/** Starts an upload in the background and adds it to the list; errors appear in its state. */
export function beginUpload({ files, ...about }: NewUpload): void {
  const items = files.map((file) => ({ ...file, state: 'waiting', done_bytes: 0, error: null }) as const);
  const upload: Upload = { ...about, id: next++, state: 'under_way', error: null, items };
  uploads = [upload, ...uploads];
  hashes.set(upload.id, new Map());
  void resumeUploading(upload.id);
}

/** Resumes an upload: sends the missing parts of each file and completes the upload. */
export async function resumeUploading(id: number): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  change(id, () => ({ state: 'under_way', error: null }));
  const upload = uploads.find((each) => each.id === id);
  if (upload === undefined) return;
  addEventListener('beforeunload', holdPage);
  try {
    const onItemChange = (path: string, update: Partial<UploadItem>) =>
      change(id, ({ items }) => ({
        items: items.map((item) => (item.path === path ? { ...item, ...update } : item)),
      }));
    const own = hashes.get(id) ?? new Map<string, string>();
    await sendUpload({
      upload,
      hashes: own,
      onChange: (update) => change(id, () => update),
      onItemChange,
      signal: stop.signal,
    });
    await complete(id);
  } catch (error) {
    change(id, () => ({ state: 'stopped', error: stop.signal.aborted ? null : error }));
  }
  if (!uploads.some(({ state }) => state === 'under_way')) removeEventListener('beforeunload', holdPage);
  void queryClient.invalidateQueries({ queryKey: ['list_sources'] });
}

async function complete(id: number): Promise<void> {
  const { source_id = null, items = [] } = uploads.find((each) => each.id === id) ?? {};
  const isWhole = items.every(({ state }) => state === 'whole');
  if (source_id !== null && isWhole) await client.sources.complete({ source_id });
  change(id, () => ({ state: isWhole ? 'complete' : 'stopped' }));
}

/** Stops an upload; received parts stay at the service. */
export const stopUpload = (id: number): void => stops.get(id)?.abort();

/** Removes an upload from the list; received files stay at the service. */
export function forgetUpload(id: number): void {
  uploads = uploads.filter((each) => each.id !== id);
  hashes.delete(id);
  change(id, () => ({}));
}

function holdPage(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
