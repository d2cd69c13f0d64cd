import type { Database } from '#store';
import { seededOwner } from '../service/seed-episodes.ts';

/** Number of dimensions of the motion descriptor. */
const dims = 176;
const batch = 10_000;
const clumps = 256;
const noises = 997;

/**
 * A vector of length 1 for each episode of the seeded project, near one of some hundred others as real ones are; every
 * hundredth episode has none.
 */
export async function seedVectors(database: Database, descriptor: string, episodes: number): Promise<void> {
  const { tenant_id, project_id } = seededOwner;
  await database.query(
    `CREATE TABLE bench_vectors AS SELECT n, (SELECT array_agg(random() - 0.5)
       FROM generate_series(1, ${dims} + 0 * n))::vector AS v FROM generate_series(0, ${clumps + noises}) AS n`,
  );
  for (let from = 0; from < episodes; from += batch) {
    await database.query(
      `INSERT INTO embeddings (tenant_id, descriptor, episode_id, project_id, version, layout, vector, reason)
       SELECT $1, $3, id, $2, 1, 'state 7', CASE WHEN e.n % 100 <> 7
           THEN l2_normalize(near.v + noise.v * (SELECT array_agg(0.4) FROM generate_series(1, ${dims}))::vector) END,
         CASE WHEN e.n % 100 = 7 THEN 'it has no such stream' END
       FROM (SELECT id, $4 + row_number() OVER (ORDER BY id) AS n FROM episodes
         WHERE tenant_id = $1 AND project_id = $2 ORDER BY id OFFSET $4 LIMIT $5) AS e
       JOIN bench_vectors AS near ON near.n = e.n * 2654435761 % ${clumps}
       JOIN bench_vectors AS noise ON noise.n = ${clumps} + e.n * 40503 % ${noises}`,
      [tenant_id, project_id, descriptor, from, batch],
    );
  }
  await database.query('DROP TABLE bench_vectors');
  await database.query('VACUUM (ANALYZE) embeddings');
}
