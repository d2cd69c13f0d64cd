import { newId } from '#core';
import { type Store, tables } from '#store';

type EpisodeRow = typeof tables.episodes.$inferInsert;

/** Differences from an accepted teleoperated episode without numbers; `receipt` is sealed into a separate pack. */
export interface TestEpisode
  extends Partial<Omit<EpisodeRow, 'tenant_id' | 'project_id' | 'id' | 'receipt_id'>> {
  readonly receipt?: unknown;
  readonly settings_hash?: string;
}

/** Adds episodes to a project as a run leaves them, in this order; answers their ids. For tests. */
export async function addEpisodes(
  store: Store,
  tenant_id: string,
  project_id: string,
  episodes: readonly TestEpisode[],
): Promise<string[]> {
  const run = { run_id: newId('run'), source_id: newId('src') };
  const ids: string[] = [];
  for (const [index, { receipt, settings_hash, ...row }] of episodes.entries()) {
    const at = new Date();
    const id = newId('ep');
    const receipt_id = newId('rcp');
    const pack_blob = `${tenant_id}/${receipt_id}.json`;
    const before = Buffer.from('..');
    const json = Buffer.from(receipt === undefined ? '' : JSON.stringify(receipt));
    if (receipt !== undefined) await store.blobs.put(pack_blob, Buffer.concat([before, json]));
    await store.database.sql.insert(tables.receipts).values({
      tenant_id,
      id: receipt_id,
      episode_id: id,
      run_id: run.run_id,
      content_hash: receipt_id,
      settings_hash: settings_hash ?? '',
      pack_blob,
      offset: before.length,
      length: json.length,
      created_at: at,
    });
    await store.database.sql.insert(tables.episodes).values({
      ...run,
      dataset_path: '',
      name: `episode_${index}`,
      index,
      format: 'lerobot',
      kind: 'teleop',
      decision: 'accept',
      score: 0.9,
      graded_fraction: 1,
      duration_s: 10,
      outcome: 'unknown',
      flags: [],
      created_at: at,
      updated_at: at,
      ...row,
      tenant_id,
      project_id,
      id,
      receipt_id,
    });
    ids.push(id);
  }
  return ids;
}
