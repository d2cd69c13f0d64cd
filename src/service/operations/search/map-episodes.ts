import { AssayError } from '#core';
import type { EmbeddingMap } from '#core/api';
import { descriptors, projectVectors } from '#quality/search';
import { projectRows, type Store, vectorRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { pinnedFilter, type SummaryQuery } from '../episodes/summarise-project.ts';
import { noProject } from '../projects/views.ts';

/** Filters and descriptor of a map. */
export interface MapQuery extends SummaryQuery {
  readonly descriptor: string;
}

/** Maximum number of episodes on a map: the projection of so many takes about 0.1 s. */
const maxEpisodes = 4000;

type VectorRow = Awaited<ReturnType<typeof vectorRows.listVectors>>[number];

/**
 * Returns points on a plane for a project's episodes that pass the filters, by the vectors of a descriptor, and why others
 * have none. Throws `not_found`, `invalid_request` for an unknown descriptor.
 */
export async function mapEpisodes(
  store: Store,
  call: Call,
  { descriptor: id, project_id, ...query }: MapQuery,
): Promise<EmbeddingMap> {
  requireRole(call, 'viewer');
  const descriptor = descriptors.get(id);
  if (descriptor === undefined) throw unknownDescriptor();
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const filter = pinnedFilter(query, project.data_kind_override);
  const rows = await vectorRows.listVectors(scope, {
    ...{ project_id, descriptor: id, filter, limit: maxEpisodes + 1 },
  });
  const read = rows.slice(0, maxEpisodes);
  const { version, says } = descriptor;
  const layout = findMainLayout(read, version);
  const placed = read.filter((row) => explainMissing(row, version, layout) === null);
  const places = projectVectors(placed.map(({ vector }) => JSON.parse(vector ?? '[]')));
  return {
    ...{ descriptor: id, version, says },
    points: placed.map((row, i) => toPoint(row, places[i])),
    not_mapped: countReasons(read.flatMap((row) => explainMissing(row, version, layout) ?? [])),
    more: rows.length > maxEpisodes,
  };
}

function toPoint(
  { id, receipt_id, name, decision, review_decision, score, task }: VectorRow,
  [x, y]: readonly [number, number],
): EmbeddingMap['points'][number] {
  return { id, receipt_id, name, x, y, decision: review_decision ?? decision, score, task };
}

/**
 * Returns the layout that most vectors of a version have, null without vectors; vectors of different layouts cannot be
 * compared.
 */
function findMainLayout(rows: readonly VectorRow[], version: number): string | null {
  const usable = rows.filter((row) => row.vector !== null && row.version === version);
  const groups = [...Map.groupBy(usable, ({ layout }) => layout)];
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

/** Returns why an episode has no point; null if it has one. */
function explainMissing(row: VectorRow, version: number, layout: string | null): string | null {
  if (row.version === null) return 'not indexed for search yet; run its source again';
  if (row.vector === null) return row.reason ?? 'no vector';
  if (row.version !== version) return `indexed with an older version (${row.version}); run its source again`;
  return row.layout === layout ? null : `its streams have a different layout (${row.layout})`;
}

function countReasons(reasons: readonly string[]): EmbeddingMap['not_mapped'] {
  return [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, own]) => ({ reason, episodes: own.length }))
    .sort((one, other) => other.episodes - one.episodes);
}

function unknownDescriptor(): AssayError {
  const message = `must be one of ${descriptors.ids.join(', ')}`;
  return new AssayError('invalid_request', 'unknown descriptor', {
    details: { errors: [{ pointer: '/query/descriptor', message }] },
  });
}
