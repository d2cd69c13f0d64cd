import type { JoinedService } from './run-service.ts';

/** The receipts of a run as they are stored, sorted; checks that each lies where its row says and in nobody's twice. */
export async function receiptsOf({ store, call }: JoinedService, run_id: string): Promise<string[]> {
  const { rows } = await store.database.query(
    'SELECT pack_blob, "offset", length, episode_id FROM receipts WHERE tenant_id = $1 AND run_id = $2',
    [call.actor.tenant_id, run_id],
  );
  const episodes = new Set(rows.map(({ episode_id }) => episode_id));
  if (episodes.size !== rows.length) throw new Error('two receipts of one run are of one episode');
  const packs = new Map<string, Uint8Array>();
  const receipts: string[] = [];
  for (const { pack_blob, offset, length } of rows) {
    const pack = packs.get(pack_blob) ?? (await store.blobs.get(pack_blob));
    packs.set(pack_blob, pack);
    receipts.push(Buffer.from(pack.subarray(offset, offset + length)).toString());
  }
  return receipts.sort();
}
