import { removeStaged, type Store, stagedBefore, uploadFileRows } from '#store';
import { systemCall } from '../tenancy/system-call.ts';
import { deleteSource } from './delete-source.ts';

/** A file just made may not have its row yet. */
const young_ms = 60 * 60 * 1000;

/** Throws away uploads that nobody went on with for a week, and received bytes that no upload names; answers how many. */
export async function sweepUploads(
  store: Store,
  now: Date,
): Promise<{ readonly uploads: number; readonly files: number }> {
  const expired = await uploadFileRows.expiredUploads(store.database, now);
  for (const { tenant_id, id } of expired) {
    await deleteSource(store, systemCall(tenant_id, 'expiry of uploads', now), { source_id: id });
  }
  return { uploads: expired.length, files: await sweepStaging(store, now) };
}

async function sweepStaging(store: Store, now: Date): Promise<number> {
  const old = await stagedBefore(store, new Date(now.getTime() - young_ms));
  const named = await uploadFileRows.receivingAmong(store.database, old);
  const orphans = old.filter((name) => !named.has(name));
  await removeStaged(store, orphans);
  return orphans.length;
}
