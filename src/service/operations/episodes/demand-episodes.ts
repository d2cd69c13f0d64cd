import { AssayError } from '#core';
import type { Store, TenantScope } from '#store';

/** Throws `not_found` naming episodes that the project does not have. */
export async function demandEpisodes(
  { database }: Pick<Store, 'database'>,
  { tenant_id }: TenantScope,
  project_id: string,
  episode_ids: readonly string[],
): Promise<void> {
  if (episode_ids.length === 0) return;
  const { rows } = await database.query(
    `SELECT one AS id FROM unnest($3::text[]) AS one
     WHERE NOT EXISTS (SELECT 1 FROM episodes WHERE tenant_id = $1 AND id = one AND project_id = $2) LIMIT 10`,
    [tenant_id, project_id, episode_ids],
  );
  if (rows.length === 0) return;
  throw new AssayError('not_found', `the project has no episode ${rows.map(({ id }) => id).join(', ')}`, {
    advice: `GET /v1/projects/${project_id}/episodes lists them`,
  });
}
