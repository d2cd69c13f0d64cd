import type { Decision } from '#core/api';
import type { Kind } from '#core/episode';
import type { TenantScope } from '../../database/database.ts';
import { and, desc, eq, gt, inArray, sql as raw } from '../../drizzle.ts';
import { episodes, receipts } from '../../schema/episodes.ts';
import { projectCounts, projectShares } from '../../schema/project-counts.ts';

/** Number of episodes of a project by kind and decision. */
export interface EpisodeCount {
  readonly project_id: string;
  /** Kind derived from the streams. */
  readonly derived: Kind;
  readonly decision: Decision;
  readonly episodes: number;
  readonly reviewed: number;
  /** Sum over the episodes. */
  readonly cameras: number;
  readonly duration_s: number;
}

/** Returns true if an episode of the project was recorded with a depth camera. */
export async function hasRecordedDepth(
  { sql, tenant_id }: TenantScope,
  project_id: string,
): Promise<boolean> {
  const found = await sql
    .select({ id: episodes.id })
    .from(episodes)
    .where(
      and(
        eq(episodes.tenant_id, tenant_id),
        eq(episodes.project_id, project_id),
        gt(episodes.depth_cameras, 0),
      ),
    )
    .limit(1);
  return found.length > 0;
}

const receiptJoin = and(eq(receipts.tenant_id, episodes.tenant_id), eq(receipts.id, episodes.receipt_id));

/** Returns the stored counts of episodes for each project, kind and decision that occurs; empty without projects. */
export async function countEpisodes(
  { sql, tenant_id }: TenantScope,
  projects: readonly string[],
): Promise<EpisodeCount[]> {
  if (projects.length === 0) return [];
  const { project_id, stream_kind: derived, decision, reviewed, cameras, duration_s } = projectCounts;
  return sql
    .select({
      project_id,
      derived,
      decision,
      episodes: projectCounts.episodes,
      reviewed,
      cameras,
      duration_s,
    })
    .from(projectCounts)
    .where(
      and(
        eq(projectCounts.tenant_id, tenant_id),
        inArray(project_id, [...projects]),
        gt(projectCounts.episodes, 0),
      ),
    );
}

/** Location of a sealed receipt in its pack. */
export interface ReceiptLocation {
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
}

/** An example episode of a kind with its receipt. */
export interface KindExample extends ReceiptLocation {
  readonly episode_id: string;
}

/**
 * Returns the newest episode of a kind derived from streams with the location of its receipt; null if there is none.
 */
export async function findNewestOfKind(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  kind: Kind,
): Promise<KindExample | null> {
  const [row] = await sql
    .select({
      episode_id: episodes.id,
      pack_blob: receipts.pack_blob,
      offset: receipts.offset,
      length: receipts.length,
    })
    .from(episodes)
    .innerJoin(receipts, receiptJoin)
    .where(
      and(
        eq(episodes.tenant_id, tenant_id),
        eq(episodes.project_id, project_id),
        eq(episodes.stream_kind, kind),
      ),
    )
    .orderBy(desc(episodes.id))
    .limit(1);
  return row ?? null;
}

/**
 * Returns the number of episodes last judged as another kind than `pinned`; for null of those judged as another kind than
 * their own, under a kind that is no longer pinned.
 */
export async function countJudgedAsAnotherKind(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  pinned: Kind | null,
): Promise<number> {
  const expectedKind = pinned === null ? raw`split_part(key, ' ', 2)` : raw`${pinned}`;
  const { rows } = await sql.execute<{ n: number }>(raw`
    SELECT coalesce(sum(episodes), 0)::int AS n FROM project_shares
    WHERE tenant_id = ${tenant_id} AND project_id = ${project_id} AND facet = 'kinds'
      AND split_part(key, ' ', 1) <> ${expectedKind}`);
  return rows[0].n;
}

/**
 * Returns the number of episodes whose last receipt has other settings than this hash. All receipts of a run have the same
 * settings.
 */
export async function countJudgedUnderOtherSettings(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  settings_hash: string,
): Promise<number> {
  const { rows } = await sql.execute<{ n: number }>(raw`
    SELECT coalesce(sum(s.episodes), 0)::int AS n FROM project_shares s, LATERAL (
      SELECT r.settings_hash FROM episodes e JOIN receipts r ON r.tenant_id = e.tenant_id AND r.id = e.receipt_id
      WHERE e.tenant_id = s.tenant_id AND e.run_id = s.key LIMIT 1) AS judged
    WHERE s.tenant_id = ${tenant_id} AND s.project_id = ${project_id} AND s.facet = 'run' AND s.episodes > 0
      AND judged.settings_hash <> ${settings_hash}`);
  return rows[0].n;
}

/** Returns the number of episodes of a project per input format, where it is not 0. */
export async function countFormats(
  { sql, tenant_id }: TenantScope,
  project_id: string,
): Promise<{ format: string; episodes: number }[]> {
  const { key, episodes: shared } = projectShares;
  return sql
    .select({ format: key, episodes: shared })
    .from(projectShares)
    .where(
      and(
        eq(projectShares.tenant_id, tenant_id),
        eq(projectShares.project_id, project_id),
        eq(projectShares.facet, 'format'),
        gt(shared, 0),
      ),
    );
}
