import { AssayError } from '#core';
import type { ClosedLoop, CurationPlanInput, ExportFormatId } from '#core/api';
import { recommendPlan } from '#quality/curation';
import { loopPlan } from '#quality/failures';
import { targetProfile } from '#quality/use-cases';
import { type FailureRow, failureRows, type Store, sliceRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { computePlan } from '../curation/compute-plan.ts';
import { type LoadedEpisodes, loadEpisodes } from '../curation/load-episodes.ts';
import { planSummaryOf, storePlan } from '../curation/plans.ts';
import { createExport } from '../exports/create-export.ts';
import { sliceOf } from '../slices/views.ts';
import { type ImportKey, noImport } from './list-failures.ts';

/** Input of `closeLoop`. */
export interface CloseLoop extends ImportKey {
  readonly name?: string | undefined;
  readonly plan?: CurationPlanInput | undefined;
  readonly factor: number;
  /** Absent: the format of the project’s target profile. */
  readonly format?: ExportFormatId | undefined;
  readonly rate_hz?: number | undefined;
  readonly source_id?: string | undefined;
  readonly dataset_path?: string | undefined;
}

/**
 * Curates again with boosted nearest episodes of an import's near failures, queues an export of the kept episodes, and returns
 * both. The plan and the export are stored together or not at all. Throws `not_found`, `not_ready` if no failure is near, and
 * as `createExport`.
 */
export async function closeLoop(
  store: Store,
  call: Call,
  { project_id, import_id, name, plan, factor, ...staged }: CloseLoop,
): Promise<ClosedLoop> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const row = await failureRows.getImport(scope, { project_id, import_id });
  if (row === null) throw noImport();
  const failures = await failureRows.listImportFailures(scope, import_id);
  const boosted = collectNearest(failures);
  if (boosted.length === 0) throw noNearFailure(row.novel);
  const loaded = await loadEpisodes(scope, project_id);
  const written = loopPlan(plan ?? recommendedPlan(loaded), boosted, factor);
  const report = await computePlan(store, written, loaded, '/body/plan');
  return store.database.transaction(async () => {
    const { report: _, ...curation } = await storePlan(store, call, {
      project_id,
      name: name ?? `After ${row.name}`,
      report,
    });
    const selectedIds = new Set(report.kept);
    const without = failures.flatMap(({ episode_id }) =>
      episode_id !== null && selectedIds.has(episode_id) ? [episode_id] : [],
    );
    const createdExport = await createExport(store, call, {
      project_id,
      ...staged,
      episodes: {
        decisions: ['accept'],
        curation_id: curation.id,
        ...(without.length === 0 ? {} : { without: [...new Set(without)] }),
      },
      purpose: 'training',
    });
    const slice = row.slice_id && (await sliceRows.getSlice(scope, { project_id, slice_id: row.slice_id }));
    return {
      import_id,
      slice: slice ? sliceOf(slice) : null,
      boosted: Object.keys(report.boosts).length,
      curation: planSummaryOf(curation),
      export: createdExport,
    };
  });
}

/** Returns the ids of the nearest episodes of the near failures, without duplicates. */
function collectNearest(failures: readonly FailureRow[]): string[] {
  const near = failures.filter(({ verdict }) => verdict === 'near');
  return [...new Set(near.flatMap(({ nearest }) => nearest.map(({ episode_id }) => episode_id)))];
}

/** Returns the recommended plan without trimming stages, because the service exports whole episodes. */
function recommendedPlan({ project, episodes }: LoadedEpisodes) {
  const { learns_actions } = targetProfile(project.target_profile);
  const { seed, stages } = recommendPlan(episodes, learns_actions).plan;
  return { seed, stages: stages.filter(({ strategy }) => strategy !== 'idle_trim') };
}

const noNearFailure = (novel: number): AssayError =>
  new AssayError(
    'not_ready',
    'no failure of the import is close to the training data, so there are no episodes to give more weight',
    {
      advice:
        novel > 0
          ? `${novel} failures are outside the training distribution: record demonstrations of these situations`
          : 'see GET /v1/projects/{project_id}/failures for why each is not assessable',
    },
  );
