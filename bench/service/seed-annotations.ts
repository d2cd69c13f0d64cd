import type { Database } from '#store';
import { seededId, seededOwner } from './seed-episodes.ts';

const batch = 10_000;

/**
 * Stores the layers that a run and a job leave on seeded episodes: metadata on all, segments on every second, with the run and
 * the jobs that did it. The same on every database.
 */
export async function seedAnnotations(database: Database, episodes: number): Promise<void> {
  const { tenant_id, project_id } = seededOwner;
  const owner = [tenant_id, project_id];
  for (const [number, layer, share] of [
    [0, 'metadata', 1],
    [1, 'segments', 2],
  ] as const) {
    const job_id = seededId('job', number);
    for (let from = 0; from < episodes; from += batch)
      await database.query(inserted, [
        ...owner,
        layer,
        job_id,
        seededId('ep', from),
        seededId('ep', Math.min(episodes, from + batch) - 1),
        share,
      ]);
    await database.query(job, [...owner, layer, job_id, seededId('run', 0), episodes / share]);
  }
  await database.query(run, [...owner, seededId('run', 0), seededId('src', 0)]);
}

/** Ids of projects beside the seeded one, without episodes. */
export const otherProjects = Array.from({ length: 20 }, (_, number) => seededId('prj', 100 + number));

/** Adds them, as the seeded project's neighbours. */
export async function seedOtherProjects(database: Database): Promise<void> {
  await database.query(
    `INSERT INTO projects SELECT (jsonb_populate_record(p, jsonb_build_object('id', one))).*
     FROM projects p, unnest($3::text[]) AS one WHERE p.tenant_id = $1 AND p.id = $2`,
    [seededOwner.tenant_id, seededOwner.project_id, otherProjects],
  );
}

const inserted = `INSERT INTO annotations (tenant_id, id, project_id, episode_id, layer, stream_kind, job_id, config_hash,
    input_hash, artifact_blob, artifact_offset, artifact_length, artifact_hash, media_type, counts, quality, compute_s,
    cost_usd, produced_at)
  SELECT $1, 'ann_' || $3 || right(id, 24), $2, id, $3, stream_kind, $4, md5('config'), md5(id), $1 || '/annotations',
    index * 200, 200, md5(id), 'application/json', '{"segments": 3}',
    CASE WHEN index % 10 > 0 THEN (index % 100) / 100.0 END, 0.005, 0, now()
  FROM episodes WHERE tenant_id = $1 AND id BETWEEN $5 AND $6 AND index % $7 = 0 ORDER BY id`;

const job = `INSERT INTO jobs (tenant_id, id, project_id, layer, origin, run_id, status, config, config_hash, force, total,
    done, failed, skipped, attempts, estimate_usd, reserved_usd, compute_s, uncharged_s, price_usd_per_s, created_at,
    created_by, finished_at)
  VALUES ($1, $4, $2, $3, 'run', $5, 'succeeded', '{}', '', false, $6, $6, 0, 0, 1, 0, 0, 0, 0, 0, now(), '', now())`;

const run = `INSERT INTO runs (tenant_id, id, project_id, source_id, type, status, stage, attempt, engine_version, settings,
    kinds, findings, episodes_expected, episodes_measured, episodes_judged, episodes_unreadable, bytes_expected,
    bytes_measured, accepted, to_review, rejected, compute_s, cost_usd, created_at, created_by, stage_base, finished_at)
  VALUES ($1, $3, $2, $4, 'assess', 'succeeded', 'done', 1, '', '{}', '{}', '[]', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, now(), '',
    0, now())`;
