import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Store, uploadFileRows } from '#store';
import { systemCall } from '../tenancy/system-call.ts';
import { deleteSource } from './delete-source.ts';
import { removeStaged, stagingFolder } from './staged-uploads.ts';

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
  const folder = stagingFolder(store);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const old: string[] = [];
  for (const name of await readdir(folder)) {
    const info = await stat(join(folder, name)).catch(() => null);
    if (info !== null && now.getTime() - info.mtimeMs > young_ms) old.push(name);
  }
  const named = await uploadFileRows.receivingAmong(store.database, old);
  const orphans = old.filter((name) => !named.has(name));
  await removeStaged(store, orphans);
  return orphans.length;
}
