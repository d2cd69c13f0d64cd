import { readStoredJson, writeStored } from '../../components/browser-storage.ts';

/** Maximum number of episodes whose order is remembered. */
const maxEpisodes = 5000;

const key = (project_id: string): string => `assay-episode-order ${project_id}`;

/** Remembers the order in which a list showed the episodes of a project, for this browser tab. */
export function rememberOrder(project_id: string, ids: readonly string[]): void {
  writeStored('session', key(project_id), JSON.stringify(ids.slice(0, maxEpisodes)));
}

/** Returns the ids of the episodes before and after one in the remembered order; `null` at the ends and for others. */
export function findNeighbours(project_id: string, id: string): Record<'before' | 'after', string | null> {
  const stored = readStoredJson('session', key(project_id));
  const ids = Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  const at = ids.indexOf(id);
  if (at < 0) return { before: null, after: null };
  return { before: ids[at - 1] ?? null, after: ids[at + 1] ?? null };
}
