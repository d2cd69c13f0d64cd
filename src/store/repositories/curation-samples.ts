import type { TenantScope } from '../database/database.ts';
import { and, asc, eq, gt } from '../drizzle.ts';
import { curationSamples as s } from '../schema/curation.ts';

type SampleRow = Omit<typeof s.$inferSelect, 'tenant_id' | 'project_id' | 'version'>;

/** Lists samples of one version by episode id, those after the episode `after`. */
export async function listSamples(
  { sql, tenant_id }: TenantScope,
  {
    project_id,
    version,
    after,
    limit,
  }: {
    readonly project_id: string;
    readonly version: number;
    readonly after: string;
    readonly limit: number;
  },
): Promise<SampleRow[]> {
  const { episode_id, content_hash, head_s, tail_s, layout, state_dims, action_dims, rows } = s;
  return sql
    .select({
      ...{ episode_id, content_hash, head_s, tail_s, layout, state_dims, action_dims, rows },
      states: s.states,
      actions: s.actions,
    })
    .from(s)
    .where(
      and(
        eq(s.tenant_id, tenant_id),
        eq(s.project_id, project_id),
        eq(s.version, version),
        gt(s.episode_id, after),
      ),
    )
    .orderBy(asc(s.episode_id))
    .limit(limit);
}
