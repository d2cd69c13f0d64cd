import type { Blobs, Database } from '#store';

/** Receipt of an episode without streams; that all episodes share it affects no query. */
const receipt = Buffer.from(
  JSON.stringify({ kind: { evidence: [] }, streams: [], checks: [], grippers: [] }),
);

/** A receipt for every episode that is there. */
export async function seedReceipts(database: Database, blobs: Blobs): Promise<void> {
  await blobs.put('receipts', receipt);
  await database.query(
    `INSERT INTO receipts (tenant_id, id, episode_id, run_id, content_hash, settings_hash, pack_blob, "offset", length,
       created_at)
     SELECT tenant_id, receipt_id, id, run_id, md5(id), 'settings of ' || run_id, 'receipts', 0, $1, now() FROM episodes`,
    [receipt.length],
  );
}
