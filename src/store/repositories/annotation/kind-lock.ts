import type { Database } from '../../database/database.ts';

/**
 * Keeps a project's episodes of the kinds that they are until the transaction ends (`keep`), for whoever writes beside
 * an annotation of which kind its episode is, or waits for all of these before kinds may change (`change`). Without it
 * an annotation that is being written would be counted under the kind that its episode has ceased to be: the trigger
 * that carries the new kind over does not see it yet. A statement of its own: what comes after it sees what was waited for.
 */
export async function lockKinds(
  { database, tenant_id }: { readonly database: Database; readonly tenant_id: string },
  project_id: string,
  to: 'keep' | 'change',
): Promise<void> {
  // The embedded database does one transaction after the other.
  if (database.kind === 'embedded') return;
  const lock = to === 'keep' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await database.query(`SELECT ${lock}(hashtextextended($1, 0))`, [`kinds ${tenant_id} ${project_id}`]);
}
