import { newId } from '#core';
import type { FailureImport } from '#core/api';
import { type FailureImportRow, type FailureRow, failureRows, projectRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type LoadedEpisodes, loadEpisodes } from '../curation/load-episodes.ts';
import { noProject } from '../projects/views.ts';
import { insertGapSlice } from '../slices/gap-slice.ts';
import { gapsById, scoreInThread } from '../slices/score-failures.ts';
import { type CollectedFailure, collectFailures, type FailureInput } from './collect-failures.ts';
import { importOf } from './views.ts';

export interface ImportFailures extends FailureInput {
  readonly project_id: string;
  readonly name?: string | undefined;
  readonly neighbours: number;
  readonly novel_from: number;
}

/**
 * Describes failures, holds them against the project's episodes, and freezes the nearest of the near ones as a slice: all
 * of it or nothing. Throws as `collectFailures`, and `busy`.
 */
export async function importFailures(
  store: Store,
  call: Call,
  { project_id, name = 'Failures', neighbours, novel_from, ...input }: ImportFailures,
): Promise<FailureImport> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  const loaded = await loadEpisodes(scope, project_id, { samples: false });
  const { failures, notes } = await collectFailures(scope, loaded, input);
  const options = { neighbours, novel_from };
  const scored = await scoreInThread(
    store,
    loaded,
    failures.map(({ described }) => described),
    options,
  );
  const rows = failures.map((failure, i) => rowOf(failure, scored.failures[i], loaded));
  const counted = (verdict: FailureRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const import_id = newId('fim');
  return store.database.transaction(async () => {
    const project = await projectRows.getProject(scope, project_id, 'share');
    if (project === null) throw noProject();
    const slice_id =
      scored.gaps.length === 0
        ? null
        : await insertGapSlice(store, call, project, {
            ...{ name, import_id, ...options },
            scored: gapsById(scored, loaded),
          });
    const row: FailureImportRow = {
      tenant_id: scope.tenant_id,
      id: import_id,
      ...{ project_id, name, ...options, slice_id, notes: [...notes] },
      failures: rows.length,
      near: counted('near'),
      novel: counted('novel'),
      not_assessable: counted('not_assessable'),
      baseline: scored.baseline,
      created_at: call.now,
      created_by: actorId(call),
    };
    await failureRows.insertImport(scope, row, rows);
    const { near, novel, not_assessable } = row;
    await appendAudit(store, call, {
      action: 'import_failures',
      object_type: 'failure_import',
      object_id: import_id,
      before: null,
      after: { failures: rows.length, near, novel, not_assessable, slice_id },
      detail: { project_id, name },
    });
    return importOf(row);
  });
}

function rowOf(
  { record, described, episode_id }: CollectedFailure,
  scored: Awaited<ReturnType<typeof scoreInThread>>['failures'][number],
  { ids }: LoadedEpisodes,
): Omit<FailureRow, 'tenant_id' | 'import_id' | 'project_id'> {
  const { verdict, reason, by, distance, novelty, nearest } = scored;
  return {
    id: newId('fai'),
    record_id: record.id,
    task: record.task ?? null,
    failure_mode: record.failure_mode ?? null,
    time_s: record.time_s ?? null,
    occurred_at: record.occurred_at === undefined ? null : new Date(record.occurred_at),
    episode_id,
    ...{ verdict, reason, distance, novelty },
    by: by ?? described.by,
    layout: described.layout,
    vector: described.vector === null ? null : `[${described.vector.join()}]`,
    nearest: nearest.map(({ id, distance: away }) => ({ episode_id: ids.get(id) ?? id, distance: away })),
  };
}
