/** Maximum number of episodes whose order is remembered. */
const maxEpisodes = 5000;

const key = (project_id: string): string => `assay-episode-order ${project_id}`;

/** Remembers the order in which a list showed the episodes of a project, for this browser tab. */
export function rememberOrder(project_id: string, ids: readonly string[]): void {
  try {
    sessionStorage.setItem(key(project_id), JSON.stringify(ids.slice(0, maxEpisodes)));
  } catch {
    // Without storage there are no links to the previous and next episode.
  }
}

/** Returns the ids of the episodes before and after one in the remembered order; `null` at the ends and for others. */
export function findNeighbours(project_id: string, id: string): Record<'before' | 'after', string | null> {
  const ids = readOrder(project_id);
  const at = ids.indexOf(id);
  if (at < 0) return { before: null, after: null };
  return { before: ids[at - 1] ?? null, after: ids[at + 1] ?? null };
}

/** Returns the remembered order; empty if there is none or the browser forbids storage. */
function readOrder(project_id: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key(project_id)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
