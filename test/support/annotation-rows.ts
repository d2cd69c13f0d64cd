import { newId } from '#core';
import type { LayerId } from '#core/api';
import type { Store } from '#store';

export interface TestAnnotations {
  readonly layer: LayerId;
  /** One annotation for each, on the episode of the same place. */
  readonly qualities: readonly (number | null)[];
  readonly job_id?: string;
  readonly run_id?: string;
}

/** Adds annotations to episodes of a project as a job leaves them, in one statement, and in the caller’s transaction where it holds the kinds. For tests. */
export async function addAnnotations(
  { database }: Pick<Store, 'database'>,
  { tenant_id, project_id }: { readonly tenant_id: string; readonly project_id: string },
  { layer, qualities, job_id = newId('job'), run_id }: TestAnnotations,
  episodes: readonly string[],
): Promise<void> {
  const rows = qualities.map((quality, index) => ({
    id: newId('ann'),
    episode_id: episodes[index],
    quality,
  }));
  await database.query(
    `INSERT INTO annotations AS a (tenant_id, id, project_id, episode_id, layer, stream_kind, job_id, run_id,
       config_hash, input_hash, artifact_blob, artifact_offset, artifact_length, artifact_hash, media_type, counts,
       quality, compute_s, cost_usd, produced_at)
     SELECT $1, r.id, $2, e.id, $3, e.stream_kind, $4, $5, '', '', $4, 0, 0, '', 'application/json', '{}', r.quality,
       0, 0, now()
     FROM json_to_recordset($6::json) AS r (id text, episode_id text, quality float8)
     JOIN episodes e ON e.tenant_id = $1 AND e.id = r.episode_id
     ORDER BY e.id
     ON CONFLICT (tenant_id, episode_id, layer) DO UPDATE SET quality = excluded.quality, job_id = excluded.job_id,
       run_id = excluded.run_id, stream_kind = excluded.stream_kind`,
    [tenant_id, project_id, layer, job_id, run_id ?? null, JSON.stringify(rows)],
  );
}
