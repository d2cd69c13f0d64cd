import type { Kind } from '#core/episode';
import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, getTableColumns, isNull, lt } from '../drizzle.ts';
import { episodes, receipts, reviews } from '../schema/episodes.ts';
import { projects } from '../schema/projects.ts';
import { runDatasets } from '../schema/runs.ts';

export type EpisodeRow = typeof episodes.$inferSelect;
export type ReceiptRow = typeof receipts.$inferSelect;
export type ReviewRow = typeof reviews.$inferSelect;

/** An episode with its current receipt. */
export interface EpisodeWithReceipt {
  readonly episode: EpisodeRow;
  readonly receipt: ReceiptRow;
  readonly pinned_kind: Kind | null;
}

/** Returns an episode with its current receipt and the pinned kind of its project; null if the tenant has none with this id. */
export async function getEpisode(
  { sql, tenant_id }: TenantScope,
  id: string,
): Promise<EpisodeWithReceipt | null> {
  const [row] = await sql
    .select({
      episode: getTableColumns(episodes),
      receipt: getTableColumns(receipts),
      pinned_kind: projects.data_kind_override,
    })
    .from(episodes)
    .innerJoin(receipts, and(eq(receipts.tenant_id, tenant_id), eq(receipts.id, episodes.receipt_id)))
    .innerJoin(projects, and(eq(projects.tenant_id, tenant_id), eq(projects.id, episodes.project_id)))
    .where(and(eq(episodes.tenant_id, tenant_id), eq(episodes.id, id)));
  return row ?? null;
}

/** Returns the receipt of an episode from a run; null if there is none. */
export async function getReceiptOfRun(
  { sql, tenant_id }: TenantScope,
  episode_id: string,
  run_id: string,
): Promise<ReceiptRow | null> {
  const [row] = await sql
    .select()
    .from(receipts)
    .where(
      and(
        eq(receipts.tenant_id, tenant_id),
        eq(receipts.episode_id, episode_id),
        eq(receipts.run_id, run_id),
      ),
    );
  return row ?? null;
}

/** Returns what the dataset of an episode was recognised as; null if that is unknown now. */
export async function getRecognised(
  { sql, tenant_id }: TenantScope,
  { run_id, dataset_path, format }: Pick<EpisodeRow, 'run_id' | 'dataset_path' | 'format'>,
): Promise<unknown> {
  const [row] = await sql
    .select({ recognised: runDatasets.recognised })
    .from(runDatasets)
    .where(
      and(
        eq(runDatasets.tenant_id, tenant_id),
        eq(runDatasets.run_id, run_id),
        eq(runDatasets.path, dataset_path),
        eq(runDatasets.format, format),
      ),
    )
    .limit(1);
  return row?.recognised ?? null;
}

/** Returns true if the episode belongs to the project. */
export async function belongsToProject(
  { sql, tenant_id }: TenantScope,
  { project_id, episode_id }: { readonly project_id: string; readonly episode_id: string },
): Promise<boolean> {
  const rows = await sql
    .select({ id: episodes.id })
    .from(episodes)
    .where(
      and(
        eq(episodes.tenant_id, tenant_id),
        eq(episodes.id, episode_id),
        eq(episodes.project_id, project_id),
      ),
    );
  return rows.length > 0;
}

/**
 * Locks an episode until the transaction ends and returns the values that a review depends on, so that neither a run nor
 * another review intervenes; null if it is missing.
 */
export async function lockEpisode(
  { sql, tenant_id }: TenantScope,
  id: string,
): Promise<Pick<EpisodeRow, 'project_id' | 'receipt_id' | 'review_decision' | 'tags'> | null> {
  const { project_id, receipt_id, review_decision, tags } = episodes;
  const [row] = await sql
    .select({ project_id, receipt_id, review_decision, tags })
    .from(episodes)
    .where(and(eq(episodes.tenant_id, tenant_id), eq(episodes.id, id)))
    .for('update');
  return row ?? null;
}

/** Replaces the tags of an episode. */
export async function setTags(
  { sql, tenant_id }: TenantScope,
  { episode_id, tags, now }: { readonly episode_id: string; readonly tags: string[]; readonly now: Date },
): Promise<void> {
  await sql
    .update(episodes)
    .set({ tags, updated_at: now })
    .where(and(eq(episodes.tenant_id, tenant_id), eq(episodes.id, episode_id)));
}

/** Adds a review, which becomes the current one. */
export async function addReview(
  { sql, tenant_id }: TenantScope,
  review: Omit<ReviewRow, 'tenant_id'>,
): Promise<void> {
  const { episode_id, decision, created_at } = review;
  await sql.insert(reviews).values({ ...review, tenant_id });
  await sql
    .update(episodes)
    .set({ review_decision: decision, reviewed_at: created_at, updated_at: created_at })
    .where(and(eq(episodes.tenant_id, tenant_id), eq(episodes.id, episode_id)));
}

/** Returns a review of an episode; `null` if it has no such review. */
export async function getReview(
  { sql, tenant_id }: TenantScope,
  { episode_id, review_id }: { readonly episode_id: string; readonly review_id: string },
): Promise<ReviewRow | null> {
  const [row] = await sql
    .select()
    .from(reviews)
    .where(
      and(eq(reviews.tenant_id, tenant_id), eq(reviews.episode_id, episode_id), eq(reviews.id, review_id)),
    );
  return row ?? null;
}

interface Withdrawal {
  readonly episode_id: string;
  readonly review_id: string;
  readonly withdrawn_at: Date;
  readonly withdrawn_by: string;
}

/** Withdraws a review. Returns the decision that is in effect then; `null` if no review is left. */
export async function withdrawReview(
  { sql, tenant_id }: TenantScope,
  { episode_id, review_id, withdrawn_at, withdrawn_by }: Withdrawal,
): Promise<ReviewRow['decision'] | null> {
  const own = and(eq(reviews.tenant_id, tenant_id), eq(reviews.episode_id, episode_id));
  await sql
    .update(reviews)
    .set({ withdrawn_at, withdrawn_by })
    .where(and(own, eq(reviews.id, review_id)));
  const [current] = await sql
    .select()
    .from(reviews)
    .where(and(own, isNull(reviews.withdrawn_at)))
    .orderBy(desc(reviews.id))
    .limit(1);
  const decision = current?.decision ?? null;
  await sql
    .update(episodes)
    .set({
      review_decision: decision,
      reviewed_at: current?.created_at ?? null,
      updated_at: withdrawn_at,
    })
    .where(and(eq(episodes.tenant_id, tenant_id), eq(episodes.id, episode_id)));
  return decision;
}

/** Lists the reviews of an episode, newest first, only those before the id `before`. */
export async function listReviews(
  { sql, tenant_id }: TenantScope,
  {
    episode_id,
    before,
    limit,
  }: { readonly episode_id: string; readonly before: string | null; readonly limit: number },
): Promise<ReviewRow[]> {
  return sql
    .select()
    .from(reviews)
    .where(
      and(
        eq(reviews.tenant_id, tenant_id),
        eq(reviews.episode_id, episode_id),
        before === null ? undefined : lt(reviews.id, before),
      ),
    )
    .orderBy(desc(reviews.id))
    .limit(limit);
}
