import type { RecognisedDataset } from '#formats';
import type { RecordingsRef } from '#io/sources';
import { jobItemRows, type Places, type Store, sourceRows } from '#store';
import { recordingsOf } from '../../recordings/recordings-of.ts';
import { goneRecording } from '../../recordings/with-files.ts';
import type { PictureSources } from '../../steps/messages.ts';
import { type Failure, failureOf } from '../../workers/failure.ts';

/** Where the pictures of the episodes that a worker has taken are read from. */
export async function pictureSources(
  store: Store,
  work: jobItemRows.SharedWork,
  worker: string,
  places: Places,
): Promise<PictureSources> {
  const { source_ids, datasets } = await jobItemRows.findRecordings(work, worker, places);
  const recordings: Record<string, RecordingsRef | Failure> = {};
  for (const id of source_ids) recordings[id] = await recordingsNow(store, work, id).catch(failureOf);
  return { recordings, datasets: datasets as Readonly<Record<string, RecognisedDataset>> };
}

async function recordingsNow(
  store: Store,
  { tenant_id }: jobItemRows.SharedWork,
  id: string,
): Promise<RecordingsRef> {
  const source = await sourceRows.getSource({ sql: store.database.sql, tenant_id }, id);
  if (source === null) throw goneRecording('the source was taken out');
  return recordingsOf(store, source);
}
